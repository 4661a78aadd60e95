import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../lib/lower-priority.ts'
import { dropLargeBackground } from './background.ts'
import { svgToPng, takeDrawnBytes } from './draw-svg.ts'
import { paintScene, repainting } from './paint-scene.ts'
import { backgroundColorsMaxOf, encodePicture } from './picture-formats.ts'
import type { Outcome } from './worker-slot.ts'
import type { Job } from './worker-thread.ts'

const jobsBetweenCollections = 64
const drawnBytesBetweenCollections = 2 * 2 ** 20

/** A worker's program: draws one job after the other. Started by `worker-thread.ts` only. */
const port = parentPort
if (!port) throw new Error('raster/worker.ts runs as a worker')

lowerPriority()

let jobs = 0
let drawnBytes = 0

port.on('message', async (job: Job) => {
  // Gives the event loop a turn, in which it frees collected memory. Otherwise it would take the next message first.
  await setImmediate()
  const outcome = await perform(job)
  port.postMessage(outcome, 'bytes' in outcome ? [outcome.bytes.buffer] : [])
  jobs += 1
  drawnBytes += takeDrawnBytes()
  const isThorough = jobs % jobsBetweenCollections === 0
  if (isThorough || drawnBytes >= drawnBytesBetweenCollections) collectGarbage(isThorough)
})

/** Pictures are few objects with much memory behind them, which Bun's collector by itself is slow to notice. */
function collectGarbage(isThorough: boolean): void {
  const runtime: { readonly gc?: (dropsCode: boolean) => unknown } | undefined = Reflect.get(
    globalThis,
    'Bun',
  )
  runtime?.gc?.(isThorough)
  drawnBytes = 0
}

async function perform(job: Job): Promise<Outcome> {
  const faults: string[] = []
  try {
    const bytes = await draw(job, faults)
    return faults.length === 0 ? { bytes } : { bytes, faults }
  } catch (error) {
    return { failure: 'unreadable', cause: error instanceof Error ? error.message : String(error) }
  } finally {
    dropLargeBackground()
  }
}

/** Adds to `faults` what is left out of a card because it cannot be drawn. */
async function draw(job: Job, faults: string[]): Promise<Uint8Array<ArrayBuffer>> {
  if (job.kind === 'svg') return svgToPng(job.svg)
  const { scene, widthPx, encoding, emojiBodies } = job
  const quality = 'quality' in encoding ? encoding.quality : undefined
  const onFault = (fault: string) => void faults.push(fault)
  const options = {
    emojiBodies,
    backgroundColorsMax: backgroundColorsMaxOf(encoding.format, quality),
    onFault,
  }
  const bitmap = paintScene(scene, widthPx, options)
  return encodePicture(bitmap, encoding, repainting(scene, widthPx, options))
}
