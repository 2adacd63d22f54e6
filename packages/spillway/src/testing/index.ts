// For users' own tests: the virtual runtime, under which a door and everything in it runs without a real clock.

export { VirtualRuntime } from '../runtime/virtual.ts'
