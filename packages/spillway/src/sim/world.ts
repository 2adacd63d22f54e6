// What every part of one simulated run can reach: the clock, and random numbers by name.

import { VirtualRuntime } from '../runtime/virtual.ts'
import { KeyedDraws } from '../structures/keyed-draws.ts'
import { fnv1a } from '../structures/prng.ts'

export class World extends VirtualRuntime {
  /** Draws by key for one use: what is drawn for request n does not depend on who else is served. */
  keyed(name: string): KeyedDraws {
    return new KeyedDraws(fnv1a(`${this.seed}/${name}`, 0x811c9dc5), fnv1a(`${name}/${this.seed}`, 0x1b873593))
  }
}
