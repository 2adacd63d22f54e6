// The parent's end: starts the processes of the demo, listens to them, and leaves none behind. Closing a child's channel
// is the order to stop; a child that has not gone a while later is killed.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Message } from './messages.ts'

export type ChildName = 'service' | 'capacity' | 'generator' | 'database'

// A service in the middle of a turn full of synchronous work cannot stop sooner, and nothing it still does matters.
const graceMs = 500
// A database flushes and deletes its files; killing it would leave them, and perhaps its own children, behind.
const databaseGraceMs = 15_000

// Collecting young garbage stops the generator for 2 to 10 ms several times a second, which is most of its lateness. With
// room for the garbage of a whole run it never collects. With a quarter of this room it did once, in the middle of the
// peak, and took 40 ms over it.
const generatorFlags = ['--min-semi-space-size=256', '--max-semi-space-size=256']

export class Child {
  readonly #process: ChildProcess
  readonly #label: string
  readonly isDatabase: boolean
  readonly #gone: Promise<void>
  readonly #listeners = new Set<(message: Message) => void>()
  readonly #onLost = new Set<(error: Error) => void>()
  #problem: string | undefined
  #stopping = false

  constructor(name: ChildName, label: string) {
    this.#label = label
    this.isDatabase = name === 'database'
    this.#process = fork(fileURLToPath(new URL(`./${name}-process.ts`, import.meta.url)), [], {
      serialization: 'advanced',
      // Stdout belongs to the parent alone: with --json it carries one object and nothing else.
      stdio: ['ignore', 2, 2, 'ipc'],
      // A database gets a process group of its own, so that Ctrl-C does not stop it under the services that use it.
      detached: this.isDatabase,
      execArgv: [...process.execArgv, ...(name === 'generator' ? generatorFlags : [])],
    })
    this.#process.on('message', (message: Message) => {
      if (message.type === 'problem') this.#problem = message.message
      for (const listener of this.#listeners) listener(message)
    })
    // The channel closes after the last message, so by then a child that failed has said why.
    const silent = new Promise<void>((resolve) => this.#process.once('disconnect', resolve))
    this.#gone = new Promise((resolve) => {
      this.#process.once('error', (error) => {
        this.#problem ??= error.message
        resolve()
      })
      this.#process.once('exit', async (code, signal) => {
        resolve()
        if (this.#stopping) return
        await silent
        const how = this.#problem ?? `it ended with ${signal ?? `exit status ${code}`}`
        for (const lost of this.#onLost) lost(new Error(`${this.#label} failed: ${how}`))
      })
    })
  }

  order(order: object): void {
    this.#process.send(order)
  }

  on(listener: (message: Message) => void): void {
    this.#listeners.add(listener)
  }

  /** The next message of this type, or an error when the child is lost first. */
  next<Type extends Message['type']>(type: Type): Promise<Extract<Message, { type: Type }>> {
    return new Promise((resolve, reject) => {
      const listener = (message: Message) => {
        if (message.type !== type) return
        this.#listeners.delete(listener)
        this.#onLost.delete(reject)
        resolve(message as Extract<Message, { type: Type }>)
      }
      this.#listeners.add(listener)
      this.#onLost.add(reject)
    })
  }

  /** Called when the child ends without being told to. */
  onLost(lost: (error: Error) => void): void {
    this.#onLost.add(lost)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#process.connected) this.#process.disconnect()
    const timer = setTimeout(() => this.kill(), this.isDatabase ? databaseGraceMs : graceMs)
    await this.#gone
    clearTimeout(timer)
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }
}

export class Processes {
  readonly #children = new Set<Child>()
  #ending = false
  #lost: (error: Error) => void = () => {}
  /** Rejects when any child ends without being told to. Race it against whatever is awaited. */
  readonly lost: Promise<never>

  constructor() {
    this.lost = new Promise((_, reject) => {
      this.#lost = reject
    })
    this.lost.catch(() => {})
    // On the way out there is no time to wait. The database stops by itself when its channel closes.
    process.on('exit', () => {
      for (const child of this.#children) if (!child.isDatabase) child.kill()
    })
  }

  /** Starts a child and waits until it is ready for its order. */
  async start(name: ChildName, label: string): Promise<Child> {
    // Whoever asks now lost a race with Ctrl-C and is about to be ended.
    if (this.#ending) await new Promise(() => {})
    const child = new Child(name, label)
    child.onLost((error) => this.#lost(error))
    this.#children.add(child)
    await child.next('ready')
    return child
  }

  async stop(child: Child): Promise<void> {
    await child.stop()
    this.#children.delete(child)
  }

  /** Stops all, those that use the database before the database. */
  async stopAll(): Promise<void> {
    this.#ending = true
    const children = [...this.#children]
    await Promise.all(children.filter((child) => !child.isDatabase).map((child) => this.stop(child)))
    await Promise.all(children.filter((child) => child.isDatabase).map((child) => this.stop(child)))
  }
}
