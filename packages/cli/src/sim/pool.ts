// Spreads many independent runs over the cores. Each worker gets its next task when it has finished one, so that a long run
// does not hold up a queue behind it; results are handed out as they come and returned in the order of the tasks.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

export interface PoolOptions<Result> {
  /** The module that answers each message with one message. */
  readonly file: URL
  /** What every worker is started with. */
  readonly workerData: unknown
  readonly signal: AbortSignal
  readonly onResult: (result: Result) => void
}

/** What a worker answers. */
export type Answer<Result> = { readonly result: Result } | { readonly error: unknown }

/** Runs all tasks. Rejects with the first error, or when the signal is aborted; no worker outlives the call. */
export async function runOnWorkers<Task, Result>(
  tasks: readonly Task[],
  { file, workerData, signal, onResult }: PoolOptions<Result>,
): Promise<Result[]> {
  signal.throwIfAborted()
  const results: Result[] = new Array(tasks.length)
  const workers = new Set<Worker>()
  let next = 0
  try {
    await new Promise<void>((resolve, reject) => {
      let open = tasks.length
      if (open === 0) resolve()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      const size = Math.min(availableParallelism(), tasks.length)
      for (let i = 0; i < size; i++) {
        const worker = new Worker(file, { workerData })
        workers.add(worker)
        let at = -1
        const feed = () => {
          if (next >= tasks.length) return
          at = next++
          worker.postMessage(tasks[at])
        }
        worker.on('message', (answer: Answer<Result>) => {
          if ('error' in answer) return reject(answer.error)
          results[at] = answer.result
          onResult(answer.result)
          if (--open === 0) resolve()
          feed()
        })
        worker.on('error', reject)
        worker.on('exit', (code) => reject(new Error(`a worker ended with code ${code} before its work was done`)))
        feed()
      }
    })
  } finally {
    await Promise.all([...workers].map((worker) => worker.terminate()))
  }
  return results
}

/** The worker beside a module: a source beside a source, built beside built. */
export function besideModule(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl)
}
