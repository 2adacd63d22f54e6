// When a response over HTTP/2 is over. The stream tells it, not the compatibility response, which does not always report a
// reset (case C14); and not even the stream always does.

import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Runtime } from '../core/runtime.ts'

/** Calls back when nothing more will be sent on this stream, at least once. */
export function whenStreamOver(stream: ServerHttp2Stream, callback: () => void, runtime: Runtime): void {
  if (stream.closed || stream.destroyed) {
    callback()
    return
  }
  // 'finish' as well as 'close': a stream stays open while its caller still sends what nobody reads.
  stream.on('finish', callback).on('close', callback)
  destroyOrphan(stream, runtime)
}

/**
 * Node keeps a stream for ever, and never says so, whose caller resets it with NO_ERROR when its response has been ended
 * but not sent: it waits for writes that cannot end. The end of its request, which then comes after the reset, is all
 * that shows it; here such a stream is destroyed.
 */
export function destroyOrphan(stream: ServerHttp2Stream, runtime: Runtime): void {
  stream.once('end', () => {
    if (!stream.closed || stream.writableFinished) return
    // Within the callback that tells of the reset, nghttp2 still knows the stream.
    runtime.defer(() => {
      if (!stream.writableFinished && isForgotten(stream)) stream.destroy()
    })
  })
}

// A stream that nghttp2 does not know any more looks idle. One that we are closing ourselves still has its state.
function isForgotten(stream: ServerHttp2Stream): boolean {
  const { state } = stream.state
  return state === constants.NGHTTP2_STREAM_STATE_IDLE || state === constants.NGHTTP2_STREAM_STATE_CLOSED
}

/** Whether a stream that is over carried its response to the end. */
export function streamComplete(stream: ServerHttp2Stream): boolean {
  return stream.writableFinished && !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR
}
