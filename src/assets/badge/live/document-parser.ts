import { Worker } from 'node:worker_threads'
import { createFairLimiter, LimiterFull } from '../../../lib/fair-limiter.ts'
import { isExecutable } from '../../../lib/package-files.ts'
import { beginFor, type QueueClient } from '../../../lib/waiter.ts'
import { connectThread } from '../../../raster/thread-pool.ts'
import { createWorkerSlot, type Outcome } from '../../../raster/worker-slot.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import { type Finding, findValue, type Search } from './find-value.ts'

/** JSON up to this length is parsed in a few milliseconds of the main thread. */
const plainCharsMax = 16_384
const waitingMax = 64
/** A search that takes longer ends its thread. */
const jobMsMax = 5_000
const idleMsMax = 15_000

/** Finds values in documents: small JSON at once, all else in a thread, one at a time. */
export function createDocumentParser() {
  const slot = createWorkerSlot(connect, idleMsMax)
  const queue = createFairLimiter({ runningMax: 1, waitingMax, dropsNewest: true })

  /** Rejects with FetchFailure, or WaitEnded. */
  return async ({ text, format, path }: Search, client: QueueClient): Promise<Finding> => {
    // The thread takes plain data alone.
    const search = { text, format, path }
    if (format === 'json' && text.length <= plainCharsMax) return findValue(search)
    function searchInThread() {
      beginFor(client)
      return slot.draw({ message: search, pixels: 0 })
    }
    try {
      return findingOf(await queue.run(client, searchInThread))
    } catch (error) {
      throw error instanceof LimiterFull ? new FetchFailure('too_busy') : error
    }
  }
}

function findingOf(outcome: Outcome<Finding>): Finding {
  if ('result' in outcome) return outcome.result
  const { failure, cause } = outcome
  if (failure === 'unreadable' && cause === 'invalid_document') throw new FetchFailure(cause)
  if (failure === 'unreadable') throw new Error(`A document could not be searched: ${cause}`)
  if (failure === 'unstarted') throw new FetchFailure('too_busy')
  return { found: { failure: 'too_complex' }, cacheSeconds: undefined }
}

function connect() {
  // In an executable the whole program is one file in the place of `src/main.ts`, and this one keeps its folder.
  const program = isExecutable ? './assets/badge/live/document-thread.ts' : './document-thread.ts'
  return connectThread<Finding>(new Worker(new URL(program, import.meta.url)), jobMsMax)
}
