// The last exercise of the tick model has no number: find every queue of a service you run, and say for each how long it
// may get and what becomes of a request that waits in it longer than its caller. This is where to look in Node.js.

export interface QueuePlace {
  readonly queue: string
  /** What bounds it when nobody has chosen a bound. */
  readonly bound: string
  /** How to see how much waits there. */
  readonly look: string
  /** What becomes of a request that waits longer than its caller does, and what to do about it. */
  readonly late: string
}

export const queueChecklist: readonly QueuePlace[] = [
  {
    queue: 'Accept backlog of the kernel',
    bound: '511, or net.core.somaxconn where that is lower',
    look: 'ss -ltn: Recv-Q of the listening socket',
    late: 'is accepted and served all the same: nothing tells the process that the caller left. Keep turns of the loop short.',
  },
  {
    queue: 'Accepted connections and requests that the event loop has not looked at',
    bound: 'none: server.maxConnections is not set',
    look: 'event-loop delay; server.getConnections()',
    late: 'is served late. Put a door with a bounded queue and deadlines in front of the handlers.',
  },
  {
    queue: 'Handlers waiting for a database pool (pg: max 10)',
    bound: 'none: connectionTimeoutMillis is 0, so they wait for ever',
    look: 'pool.waitingCount',
    late: 'still gets its connection and runs its query. Bound the wait, and admit no more than the pool can work off.',
  },
  {
    queue: 'Outgoing requests waiting for a socket (http.Agent, undici Pool)',
    bound: 'no bound on the wait; http.Agent opens sockets without end until maxSockets is set',
    look: 'agent.requests, pool.stats.queued',
    late: 'is sent although nobody waits for its answer. Pass an AbortSignal that ends with the deadline.',
  },
  {
    queue: 'Thread pool of libuv (files, dns.lookup, crypto, zlib)',
    bound: 'none: four threads, or UV_THREADPOOL_SIZE',
    look: 'time of a tiny fs.stat',
    late: 'runs to its end: work in the pool cannot be cancelled. Limit what is started.',
  },
  {
    queue: 'Tasks for worker threads',
    bound: 'none in a pool of your own; Piscina: maxQueue is Infinity',
    look: 'pool.queueSize',
    late: 'takes the place of a task that somebody waits for. Set maxQueue; abort what is queued.',
  },
  {
    queue: 'Bytes written to sockets and streams',
    bound: 'only the memory, where the return value of write() is ignored',
    look: 'writableLength',
    late: 'keeps its buffers for as long as the reader is slow. Wait for drain; give writes a deadline.',
  },
  {
    queue: 'Promises that wait in memory: Promise.all over a list, p-limit, async.queue, retries that sleep',
    bound: 'none',
    look: 'limit.pendingCount, queue.length(); memory that grows with load',
    late: 'runs anyway. Bound the list before it is started, and count sleeping retries as waiting work.',
  },
  {
    queue: 'Commands for a store that is not connected (ioredis offline queue, node-redis)',
    bound: 'none: enableOfflineQueue is on, commandsQueueMaxLength is not set',
    look: 'redis.status and memory while the store is down',
    late: 'is sent in one burst when the store comes back. Turn the queue off, or bound it and fail fast.',
  },
  {
    queue: 'Messages in a broker',
    bound: 'retention or disk: days of work',
    look: 'consumer lag and the age of the oldest message',
    late: 'is delivered in full. Drop what has expired before working on it, and alert on age rather than on length.',
  },
  {
    queue: 'Proxies and balancers in front (nginx, Envoy, a cloud balancer)',
    bound: 'differs: Envoy keeps 1024 pending requests, others as many as they have connections',
    look: "the proxy's own pending and active counts",
    late: 'reaches the service already late. Pass the deadline on, and bound the proxy below what the service can finish.',
  },
]
