import { FetchFailure } from './fetch-failure.ts'
import type { HopLimits } from './hop.ts'
import { type BodyResult, type BodySink, readBody } from './read-body.ts'
import type { PendingResponse } from './send-request.ts'
import { unlessPreempted } from './timeout.ts'

/** Reads a body until others need its slot: then what came has to do, where it is worth an answer. */
export async function readPreemptibleBody(
  context: PendingResponse,
  sink: BodySink,
  limits: HopLimits,
): Promise<BodyResult> {
  let isOver = false
  let decodedBytes = 0
  const guarded: BodySink = {
    write(chunk) {
      // Decoders may hold some when the reading has ended.
      if (isOver) return false
      decodedBytes += chunk.length
      return sink.write(chunk)
    },
    isUseful: () => sink.isUseful(),
  }
  try {
    return await unlessPreempted(readBody(context, guarded, limits, limits.deadlineAt), limits.preempted)
  } catch (failure) {
    const mayDo = failure instanceof FetchFailure && failure.preempted && sink.isUseful()
    if (!mayDo) throw failure
    return { truncated: true, wireBytes: context.socket.bytesRead, decodedBytes }
  } finally {
    isOver = true
  }
}
