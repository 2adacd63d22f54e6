// What the load client needs of a connection, whatever is spoken on it.

export interface Connection {
  /** Sends the one request there is. Not again before it was answered. */
  send(): void
  onAnswer: (status: number) => void
  onLost: (error: Error) => void
  onceClosed(listener: () => void): void
}
