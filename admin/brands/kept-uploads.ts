import { randomBytes } from 'node:crypto'
import { type Clock, isWithin } from '../../src/lib/clock.ts'

/** An uploaded file waits so long for its form to be saved. */
const keptMs = 30 * 60_000
/** For all operators together: three brands with all their files. What is read of a file is held beside it. */
const bytesMax = 16 * 2 ** 20
/** A small file counts as if it had so many bytes, which bounds the number of files. */
const bytesMin = 64 * 1024

interface KeptUpload<Value> {
  readonly sessionId: string
  readonly value: Value
  readonly bytes: number
  readonly atMs: number
}

export type KeptUploads<Value> = ReturnType<typeof createKeptUploads<Value>>

/**
 * Files of forms that were previewed or refused, so that nobody has to choose them again. They are held in this process
 * for half an hour after their last use, the oldest go first, and only the session that brought a file finds it.
 */
export function createKeptUploads<Value>(clock: Clock) {
  const uploads = new Map<string, KeptUpload<Value>>()
  let heldBytes = 0

  function remove(token: string): void {
    heldBytes -= uploads.get(token)?.bytes ?? 0
    uploads.delete(token)
  }

  function prune(roomBytes: number): void {
    for (const [token, { atMs }] of uploads) {
      const isFresh = isWithin(atMs, clock.now(), keptMs)
      if (isFresh && heldBytes + roomBytes <= bytesMax) return
      remove(token)
    }
  }

  return {
    keep(sessionId: string, value: Value, fileBytes: number): string {
      const bytes = Math.max(fileBytes, bytesMin)
      prune(bytes)
      const token = randomBytes(16).toString('hex')
      uploads.set(token, { sessionId, value, bytes, atMs: clock.now() })
      heldBytes += bytes
      return token
    },
    /** From now on the file waits for half an hour again. */
    find(sessionId: string, token: string): Value | undefined {
      const upload = uploads.get(token)
      if (upload?.sessionId !== sessionId || !isWithin(upload.atMs, clock.now(), keptMs)) return undefined
      uploads.delete(token)
      uploads.set(token, { ...upload, atMs: clock.now() })
      return upload.value
    },
  }
}
