// Puts a gate together from the options of an adapter: those of the gate, and either those of a door or a door that
// exists already and may be shared by several adapters.

import { Door } from '../core/admission-async.ts'
import { custom, type Given, resolveOptions } from '../core/options.ts'
import type { Problems } from '../core/problems.ts'
import type { Runtime } from '../core/runtime.ts'
import { Gate } from '../propagation/gate.ts'
import { gateOptions } from '../propagation/gate-options.ts'
import { Refuser } from '../propagation/refuser.ts'
import type { ShedLayer } from '../propagation/status.ts'
import { parseTrustedPeers, type TrustedPeers } from '../propagation/trusted-peers.ts'
import { admissionOptions, createAdmission } from './create-admission.ts'

/** A door that exists already, instead of the options of one. */
export const sharedDoorOption = {
  door: custom<Door, undefined>('a door made by createAdmission', (value): value is Door => value instanceof Door, {
    default: undefined,
    about: 'A door made by createAdmission, to be shared; the options of a door may then not be given.',
  }),
}

const protectOptions = { ...admissionOptions, ...gateOptions, ...sharedDoorOption }
// With a door that exists already its limit is not required, and checkDoor refuses it.
const sharedOptions = { ...protectOptions, limit: { ...admissionOptions.limit, required: false } }

/** Options of every HTTP adapter. */
export type ProtectOptions = Given<typeof protectOptions>

/** A gate and what sends its refusals. */
export interface HttpGate {
  readonly gate: Gate
  readonly refuser: Refuser
}

/** Throws SPILLWAY_OPTIONS_INVALID, naming every wrong option at once. `owner` is what the user called. */
export function createHttpGate(owner: string, options: ProtectOptions, runtime: Runtime): HttpGate {
  const resolved = resolveOptions(
    owner,
    options?.door === undefined ? protectOptions : sharedOptions,
    options,
    (given, problems) => {
      checkDoor(options, given.door, problems)
      if (given.quota !== undefined && given.keyOf === undefined)
        problems.say('keyOf must be given with a quota, or no request has a key to count by')
    },
  )
  const door = resolved.door ?? createAdmission(only(options, admissionOptions), runtime)
  const trustedPeers = parseTrustedPeers(resolved.trustedPeers) as TrustedPeers
  const gate = new Gate(door, resolved, trustedPeers, runtime)
  const layer: ShedLayer = 'service'
  return { gate, refuser: new Refuser(layer, () => door.closing, runtime) }
}

function checkDoor(options: ProtectOptions, door: Door | undefined, problems: Problems): void {
  const own = Object.keys(only(options, admissionOptions))
  if (door !== undefined && own.length > 0)
    problems.say(`${own.join(', ')} belong to the door, which was given as well`)
}

// The options among these that were given.
function only<T extends object>(options: T, fields: object): T {
  const given = Object.entries(options).filter(([name, value]) => name in fields && value !== undefined)
  return Object.fromEntries(given) as T
}
