import { FetchFailure } from './fetch-failure.ts'
import type { HopLimits } from './hop.ts'
import { type BodyResult, type BodySink, readBody } from './read-body.ts'
import type { PendingResponse } from './send-request.ts'
import { unlessPreempted } from './timeout.ts'

/** Reads a body until others need the slot. What was read until then is the result, if it is useful. */
export async function readPreemptibleBody(
  pending: PendingResponse,
  sink: BodySink,
  limits: HopLimits,
): Promise<BodyResult> {
  let isOver = false
  let decodedBytes = 0
  const guarded: BodySink = {
    write(chunk) {
      // Decoders may still emit data after the end.
      if (isOver) return false
      decodedBytes += chunk.length
      return sink.write(chunk)
    },
    isUseful: () => sink.isUseful(),
  }
  try {
    return await unlessPreempted(readBody(pending, guarded, limits, limits.deadlineAt), limits.preempted)
  } catch (failure) {
    const isUseful = failure instanceof FetchFailure && failure.preempted && sink.isUseful()
    if (!isUseful) throw failure
    return { truncated: true, wireBytes: pending.socket.bytesRead, decodedBytes }
  } finally {
    isOver = true
  }
}
