// A doubly linked list whose links live in its items: joining, leaving from anywhere and walking in order of joining
// cost a few stores and no allocation. Arrays were rejected (a caller who leaves the middle of a queue would cost O(n)),
// and so were Sets (an entry allocated per request).

/** An item of a {@link LinkedList}. The list owns both links; outside a list both are undefined. */
export interface Linked<T> {
  previous: T | undefined
  next: T | undefined
}

export class LinkedList<T extends Linked<T>> {
  #first: T | undefined = undefined
  #last: T | undefined = undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The item that joined first, or undefined. */
  get first(): T | undefined {
    return this.#first
  }

  /** The item that joined last, or undefined. */
  get last(): T | undefined {
    return this.#last
  }

  /** Appends an item that is in no list. */
  push(item: T): void {
    const last = this.#last
    item.previous = last
    if (last === undefined) this.#first = item
    else last.next = item
    this.#last = item
    this.#size++
  }

  /** Takes out an item of this list. Its links are cleared so that it keeps no neighbour alive. */
  remove(item: T): void {
    const { previous, next } = item
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    item.previous = undefined
    item.next = undefined
    this.#size--
  }
}
