// The tick model as its users see it: the table, the exercises, the checklist, and the model for experiments of one's own.

export { type QueuePlace, queueChecklist } from './checklist.ts'
export { publishedPlan, runTicks, type Tick, type TickPlan, type TickPolicy } from './model.ts'
export { type RefusalPoint, refusalSweep, type TickExercise, type TickRow, tickExercises, tickTable } from './table.ts'
