// The parent's end of one child process. Every contender is measured in a process of its own, so that none meets the
// type feedback, the heap or the timers of another. A child lives no longer than its channel to the parent.

import { type ChildProcess, fork } from 'node:child_process'

const children = new Set<Child>()
process.on('exit', () => {
  for (const child of children) child.kill()
})

export class Child {
  readonly #process: ChildProcess
  readonly #label: string
  #answer: ((message: unknown) => void) | undefined
  #fail: ((error: Error) => void) | undefined
  #failure: Error | undefined

  /** `script` is a URL beside this file; `label` names the child when it fails. */
  constructor(script: URL, label: string, args: readonly string[], nodeFlags: readonly string[] = []) {
    this.#label = label
    this.#process = fork(script, [...args], {
      // Stdout belongs to the parent alone: with --json it carries the result and nothing else.
      stdio: ['ignore', 2, 2, 'ipc'],
      execArgv: [...process.execArgv, ...nodeFlags],
    })
    this.#process.on('message', (message) => {
      const answer = this.#answer
      this.#answer = undefined
      answer?.(message)
    })
    this.#process.once('error', (error) => this.#onLost(error.message))
    this.#process.once('exit', (code, signal) => this.#onLost(`it ended with ${signal ?? `exit status ${code}`}`))
    children.add(this)
  }

  /** The next message. */
  next<Answer>(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure)
      this.#answer = resolve as (message: unknown) => void
      this.#fail = reject
    })
  }

  /** Sends an order and resolves to what the child answers. One order at a time. */
  ask<Answer>(order: object): Promise<Answer> {
    const answer = this.next<Answer>()
    this.#process.send(order)
    return answer
  }

  kill(): void {
    children.delete(this)
    this.#process.kill('SIGKILL')
  }

  #onLost(how: string): void {
    this.#failure = new Error(`${this.#label} failed: ${how}`)
    children.delete(this)
    this.#fail?.(this.#failure)
  }
}
