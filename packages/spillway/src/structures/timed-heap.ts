// What is due next? A binary heap on (at, sequence): equal times keep the order in which they were pushed, so that a
// run with the same seed has the same trace. The heap is intrusive: each item carries its own place, which makes taking
// one out of the middle O(log n) and costs no allocation. Lazy deletion was rejected because a waiting room full of
// callers who left would keep their requests alive until their time came.

/** An item of a {@link TimedHeap}. The heap owns `sequence` and `heapIndex`. */
export interface TimedItem {
  /** When it is due, in ms. Fixed while the item is in a heap. */
  at: number
  sequence: number
  /** Its place in the heap, or -1 outside. */
  heapIndex: number
}

export class TimedHeap<T extends TimedItem> {
  // Parent before child by (at, sequence); items[i].heapIndex === i.
  readonly #items: T[] = []
  #sequence = 0

  get size(): number {
    return this.#items.length
  }

  /** The earliest item, or undefined. */
  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    item.sequence = this.#sequence++
    this.#items.push(item)
    this.#siftUp(item, this.#items.length - 1)
  }

  pop(): T | undefined {
    const first = this.#items[0]
    if (first !== undefined) this.remove(first)
    return first
  }

  /** Takes an item out, wherever it is. Returns false when it was not in this heap. */
  remove(item: T): boolean {
    const index = item.heapIndex
    const items = this.#items
    if (index < 0 || items[index] !== item) return false
    item.heapIndex = -1
    const last = items.pop() as T
    if (last === item) return true
    const parent = items[(index - 1) >> 1]
    if (index > 0 && parent !== undefined && isBefore(last, parent)) this.#siftUp(last, index)
    else this.#siftDown(last, index)
    return true
  }

  #siftUp(item: T, start: number): void {
    const items = this.#items
    let index = start
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = items[parentIndex] as T
      if (!isBefore(item, parent)) break
      items[index] = parent
      parent.heapIndex = index
      index = parentIndex
    }
    items[index] = item
    item.heapIndex = index
  }

  #siftDown(item: T, start: number): void {
    const items = this.#items
    const half = items.length >> 1
    let index = start
    while (index < half) {
      let childIndex = 2 * index + 1
      let child = items[childIndex] as T
      const right = items[childIndex + 1]
      if (right !== undefined && isBefore(right, child)) {
        child = right
        childIndex++
      }
      if (!isBefore(child, item)) break
      items[index] = child
      child.heapIndex = index
      index = childIndex
    }
    items[index] = item
    item.heapIndex = index
  }
}

function isBefore(a: TimedItem, b: TimedItem): boolean {
  return a.at < b.at || (a.at === b.at && a.sequence < b.sequence)
}
