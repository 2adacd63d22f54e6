// First in, first out, without end: an array with a moving head. Array.shift costs O(n) in a queue of a hundred thousand,
// and a linked list a node per item.

export class FifoQueue<T> {
  // Live items are [head, length). Slots before the head are undefined so that they hold nothing alive.
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  peek(): T | undefined {
    return this.#items[this.#head]
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head++] = undefined
    if (this.#head === this.#items.length) this.clear()
    else if (this.#head >= 1024 && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head)
      this.#head = 0
    }
    return item
  }

  clear(): void {
    if (this.#items.length > 0) this.#items = []
    this.#head = 0
  }
}
