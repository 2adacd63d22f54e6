// opossum comes without types; this is the part of it that is measured.

declare module 'opossum' {
  export default class CircuitBreaker<T> {
    constructor(action: () => Promise<T>, options: { readonly timeout: number | false; readonly capacity: number })
    fire(): Promise<T>
    shutdown(): void
  }
}
