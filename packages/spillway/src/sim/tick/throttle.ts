// Clients that hold themselves back (adaptive throttling, Google's SRE book, "Handling Overload"): each remembers how much
// it wanted to send and how much was accepted, and refuses by itself the share by which the first exceeds K times the
// second. K = 2 lets through about twice what the server takes: enough to notice at once when it takes more again.

// Ticks remembered. Halved, the share jumps with the noise of single ticks; doubled, clients hold back for longer after
// the load has fallen.
const WINDOW = 20

export class Throttle {
  readonly #k: number
  readonly #chance: { next(): number }
  // The last WINDOW ticks, this one included, newest last.
  readonly #wanted: number[] = []
  readonly #accepted: number[] = []

  constructor(k: number, chance: { next(): number }) {
    this.#k = k
    this.#chance = chance
  }

  /** A new tick. */
  begin(): void {
    for (const counts of [this.#wanted, this.#accepted]) {
      counts.push(0)
      if (counts.length > WINDOW) counts.shift()
    }
  }

  /** Whether the client refuses the attempt it wants to send now. */
  refuses(): boolean {
    const refused = this.#chance.next() < throttledShare(sum(this.#wanted), sum(this.#accepted), this.#k)
    add(this.#wanted)
    return refused
  }

  /** The server took an attempt. */
  accepted(): void {
    add(this.#accepted)
  }
}

/** The share of attempts that a client refuses by itself. */
export function throttledShare(wanted: number, accepted: number, k: number): number {
  return Math.max(0, (wanted - k * accepted) / (wanted + 1))
}

function add(counts: number[]): void {
  counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
