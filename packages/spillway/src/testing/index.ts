// For users' own tests: the virtual runtime, under which a door and everything in it runs without a real clock, and what
// every part of a kind must do.

export { VirtualRuntime } from '../runtime/virtual.ts'
export { type Check, disciplineConformance, limiterConformance, quotaConformance } from './conformance.ts'
