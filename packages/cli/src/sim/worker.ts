// Runs in a worker thread: answers each task with the summary of one run, so that no more than numbers crosses the thread,
// or with the whole record where pictures are wanted.

import { parentPort, workerData } from 'node:worker_threads'
import { summariseRun } from 'spillway/sim'
import { loadCatalogue } from './catalogue.ts'
import type { RunResult, RunTask, RunWorkerSettings } from './run.ts'

const { catalogue: moduleUrl } = workerData as RunWorkerSettings
const catalogue = await loadCatalogue(moduleUrl)

parentPort?.on('message', ({ scenario, policy, seed, withRecord, forPictures, confirms }: RunTask) => {
  try {
    if (catalogue === undefined) throw new Error(`${moduleUrl} has no catalogue`)
    const { record, verdict, criteria } = catalogue.run(scenario, policy, seed, { confirms, forPictures })
    const thresholds = catalogue.entries.find(({ id }) => id === scenario)?.thresholds
    if (thresholds === undefined) throw new Error(`the catalogue has no scenario ${scenario}`)
    const summary = summariseRun(record, verdict, thresholds, criteria)
    const result: RunResult = { summary, record: withRecord ? record : undefined }
    parentPort?.postMessage({ result })
  } catch (error) {
    // An error of the library keeps its code only as a property, which a message carries for plain errors alone.
    parentPort?.postMessage({ error: error instanceof Error ? new Error(error.stack ?? error.message) : error })
  }
})
