import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { piecesBody, textBody } from '../../lib/body.ts'
import { loadedOnce } from '../../lib/memo.ts'
import { lowerPriority } from '../../lib/own-process.ts'
import type { Scene } from '../../raster/scene.ts'
import type { ThreadFile, ThreadReply } from '../../raster/thread-pool.ts'
import type { CardFont } from '../../text/brand-fonts/brand-font.ts'
import type { CardLogo } from './brand/brand-images.ts'
import type { Card, ComposedCard } from './card-renderer.ts'
import type { DrawingJob, DrawingResult, PixelPicture, SentCard, SentFont } from './drawing-pool.ts'

const paintedBetweenCollections = 64
const drawnBytesBetweenCollections = 2 * 2 ** 20

/** The program of a drawing thread: one job after the other. Started by `drawing-pool.ts` only. */
const port = parentPort
if (!port) throw new Error('drawing-thread.ts runs as a worker thread')

lowerPriority()

/** Each half is loaded with the first job that needs it. */
const withCards = loadedOnce(async () => {
  const { createTextEngine } = await import('../../text/text-engine.ts')
  const { createCardRenderer } = await import('./card-renderer.ts')
  return createCardRenderer(createTextEngine())
})
const withPainter = loadedOnce(async () => ({
  ...(await import('../../raster/paint-scene.ts')),
  ...(await import('../../raster/draw-svg.ts')),
}))

let painted = 0
let drawnBytes = 0
let receive: (file: ThreadFile['file']) => void = () => undefined

port.on('message', (message: DrawingJob | ThreadFile) => {
  if ('file' in message) receive(message.file)
  else void work(message)
})

async function work(job: DrawingJob): Promise<void> {
  // Gives the event loop a turn, in which it frees the memory of pictures. Otherwise it would take the next message first.
  if (paints(job)) await setImmediate()
  const faults: string[] = []
  const outcome = await draw(job, faults).then(
    (result) => (faults.length === 0 ? { result } : { result, faults }),
    (error) => ({ failure: 'unreadable', cause: String(error?.message ?? error) }) as const,
  )
  const result = 'result' in outcome ? outcome.result : undefined
  tell(outcome, result instanceof Uint8Array ? [result.buffer] : [])
  if (paints(job)) await tidyUp()
}

function paints(job: DrawingJob): boolean {
  return job.kind === 'card' ? typeof job.as === 'object' : job.kind !== 'warm up'
}

function tell(reply: ThreadReply<DrawingResult>, transferred: ArrayBuffer[] = []): void {
  port?.postMessage(reply, transferred)
}

/**
 * Pictures are few objects with much memory behind them, which Bun's collector by itself is slow to notice. SVGs alone leave little
 * behind, and a thorough collection costs as much as a hundred of them.
 */
async function tidyUp(): Promise<void> {
  painted += 1
  drawnBytes += await withPainter(({ takeDrawnBytes }) => takeDrawnBytes())
  const isThorough = painted >= paintedBetweenCollections
  if (!isThorough && drawnBytes < drawnBytesBetweenCollections) return
  const runtime: { gc?(dropsCode: boolean): unknown } | undefined = Reflect.get(globalThis, 'Bun')
  runtime?.gc?.(isThorough)
  drawnBytes = 0
  if (isThorough) painted = 0
}

/** Adds to `faults` what is left out of a picture because it cannot be drawn. */
async function draw(job: DrawingJob, faults: string[]): Promise<DrawingResult> {
  switch (job.kind) {
    case 'warm up':
      await withCards((cards) => cards.composed({ params: { title: 'A' } }))
      await withPainter(() => undefined)
      return ''
    case 'card': {
      const card = cardOf(job.card)
      if (job.as === 'svg') return piecesBody(await withCards((cards) => cards.svgPieces(card)))
      if (job.as === 'json') return textBody(await withCards((cards) => cards.layoutJson(card)))
      const composed: ComposedCard = await withCards((cards) => cards.composed(card))
      return job.as === 'layout' ? composed : paint(composed.scene, job.as, faults)
    }
    case 'scene':
      return paint(job.scene, job, faults)
    case 'svg':
      return withPainter(({ svgToPng }) => svgToPng(job.svg))
  }
}

function paint(scene: Scene, { widthPx, encoding }: PixelPicture, faults: string[]) {
  return withPainter(({ drawScene }) =>
    drawScene(scene, widthPx, encoding, (fault) => void faults.push(fault)),
  )
}

/** Measurements of a logo or a font are cached by its object, so equal ones have to be one object on all cards. */
const logos = new LRUCache<string, CardLogo>({
  maxSize: 2 * 2 ** 20,
  sizeCalculation: (logo) =>
    1000 + (logo.kind === 'pixels' ? logo.png.length : logo.shapes.reduce((sum, { d }) => sum + d.length, 0)),
})
const fonts = new LRUCache<string, CardFont>({ max: 32 })

function cardOf({ brand, ...card }: SentCard): Card {
  if (brand === undefined) return card
  const { titleFont, textFont, logo, ...look } = brand
  const known = logo && (logos.get(logo.key) ?? logo)
  if (known !== undefined) logos.set(known.key, known)
  return {
    ...card,
    brand: {
      ...look,
      ...(known && { logo: known }),
      ...(titleFont && { titleFont: knownFont(titleFont) }),
      ...(textFont && { textFont: knownFont(textFont) }),
    },
  }
}

function knownFont({ key, facts }: SentFont): CardFont {
  function read(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      receive = (file) => (file === undefined ? reject(new Error('The font was not read.')) : resolve(file))
      tell({ asksFor: key })
    })
  }
  const known = fonts.get(key) ?? { key, facts, read }
  fonts.set(key, known)
  return known
}
