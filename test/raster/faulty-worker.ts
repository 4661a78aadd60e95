import { parentPort, workerData } from 'node:worker_threads'
import type { DrawingJob } from '../../src/assets/og/drawing-pool.ts'

/** A worker that does what the job's text says, to test how the pool bears it. */
parentPort?.on('message', (job: DrawingJob) => {
  const what = job.kind === 'svg' ? job.svg : ''
  if (what === 'throw' || (what === 'throw in the first worker' && workerData === 0))
    throw new Error('as told')
  if (what === 'exit') process.exit(3)
  if (what === 'hang') for (;;);
  if (job.kind === 'scene' && workerData === 'slow scenes') Bun.sleepSync(300)
  parentPort?.postMessage({ result: Uint8Array.of(1) })
})
