import { parentPort } from 'node:worker_threads'
import { encodePng } from './encode-png.ts'
import type { Job, JobResult } from './job.ts'
import { paintScene } from './paint-scene.ts'
import { svgToPng } from './svg-to-png.ts'

const jobsBetweenCollections = 64

/** A worker's program: draws one job after the other. Started by `pool.ts` only. */
const port = parentPort
if (!port) throw new Error('raster/worker.ts runs as a worker')

let jobs = 0

port.on('message', (job: Job) => {
  const result = perform(job)
  port.postMessage(result, 'png' in result ? [result.png.buffer] : [])
  jobs += 1
  if (jobs % jobsBetweenCollections === 0) collectGarbage()
})

/** Pictures are few objects with much memory behind them, which Bun's collector by itself is slow to notice. */
function collectGarbage(): void {
  const runtime: { readonly gc?: (isSync: boolean) => unknown } | undefined = Reflect.get(globalThis, 'Bun')
  runtime?.gc?.(true)
}

function perform(job: Job): JobResult {
  try {
    return { png: draw(job) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function draw(job: Job): Uint8Array<ArrayBuffer> {
  if (job.kind === 'svg') return svgToPng(job.svg, job.options)
  const bitmap = paintScene(job.scene, job.widthPx, job.emojiBodies)
  return encodePng(bitmap, { palette: job.scene.flat })
}
