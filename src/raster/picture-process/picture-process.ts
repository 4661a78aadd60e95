import { Buffer } from 'node:buffer'
import process from 'node:process'
import { renderAsync } from '@resvg/resvg-js'
import { dieBeforeOthers, endAtOnce, endWithPipes, lowerPriority } from '../../lib/own-process.ts'
import { visibleBox } from '../bitmap.ts'
import { pictureSvg, resvgOptions } from '../draw-svg.ts'
import {
  budgetOf,
  type CallersPicture,
  createMessageReader,
  encodeMessage,
  keptBytesMax,
  type PictureBudget,
  type PictureOrder,
  type PictureReply,
} from './picture-messages.ts'

/**
 * The program of the process that draws callers' pictures, started by `picture-drawer.ts` only. resvg works on a thread of its
 * own, so the main thread can watch it: native code that overruns its budget, or outlives its parent, ends only with its process.
 */
const watchMs = 10

const bytesAtStart = residentBytes()
let isDrawing = false
process.stdin.on(
  'data',
  createMessageReader<PictureOrder>((job) => void draw(job)),
)
process.stdin.on('end', endAtOnce)
endWithPipes()
dieBeforeOthers()
lowerPriority()
reply({ reply: 'ready' })

async function draw(job: PictureOrder): Promise<void> {
  if (isDrawing) return endAtOnce()
  isDrawing = true
  const made = await drawJob(job).catch(() => undefined)
  isDrawing = false
  const isOutgrown = residentBytes() - bytesAtStart > keptBytesMax
  if (made === undefined) reply({ reply: 'unreadable', isOutgrown })
  else reply({ reply: 'drawn', isOutgrown, base64: Buffer.from(made).toString('base64') })
}

async function drawJob(job: PictureOrder): Promise<Uint8Array | undefined> {
  const watch = watchBudget(budgetOf(job))
  try {
    if (job.kind === 'picture') return await drawPicture(job)
    const { convertPicture } = await import('./convert-picture.ts')
    return await convertPicture(job)
  } finally {
    clearInterval(watch)
  }
}

/** Undefined when there is nothing to see: resvg leaves out what it cannot decode, and says nothing. */
async function drawPicture({ href, zoom, ...size }: CallersPicture): Promise<Uint8Array | undefined> {
  const picture = await renderAsync(pictureSvg(href, size), resvgOptions(zoom))
  // An SVG may be nothing but text, which is drawn where there are fonts.
  if (href.startsWith('data:image/svg')) return picture.asPng()
  const pixels = { widthPx: picture.width, heightPx: picture.height, rgba: picture.pixels }
  return visibleBox(pixels) && picture.asPng()
}

/** Ends the process, thread of resvg and all, when the drawing that begins now takes more than is allowed. */
function watchBudget({ cpuMsMax, growthBytesMax, wallMsMax }: PictureBudget) {
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const startBytes = residentBytes()
  return setInterval(() => {
    const { user, system } = process.cpuUsage(startCpu)
    const cpuMs = (user + system) / 1000
    const isLate = performance.now() - startMs > wallMsMax
    const isLarge = residentBytes() - startBytes > growthBytesMax
    if (isLarge) reply({ reply: 'oversized' }, endAtOnce)
    else if (cpuMs > cpuMsMax) reply({ reply: 'overrun' }, endAtOnce)
    else if (isLate) reply({ reply: 'stalled' }, endAtOnce)
  }, watchMs)
}

function reply(message: PictureReply, then?: () => void): void {
  process.stdout.write(encodeMessage(message), then)
}

function residentBytes(): number {
  return process.memoryUsage().rss
}
