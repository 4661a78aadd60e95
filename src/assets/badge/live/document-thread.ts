import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../../lib/own-process.ts'
import type { Outcome } from '../../../raster/thread-pool.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import { type Finding, findValue, type Search } from './find-value.ts'

/** In a thread a query may take longer, because nobody else waits for it. */
const stepsMax = 150_000

/** The program of the thread that parses documents, started by `documents.ts` only: a parser cannot be interrupted. */
lowerPriority()
parentPort?.on('message', async (search: Search) => parentPort?.postMessage(await answerTo(search)))

async function answerTo(search: Search): Promise<Outcome<Finding>> {
  try {
    return { result: await findValue(search, stepsMax) }
  } catch (error) {
    return { failure: 'unreadable', cause: error instanceof FetchFailure ? error.reason : String(error) }
  }
}
