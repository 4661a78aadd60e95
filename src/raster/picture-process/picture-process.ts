import process from 'node:process'
import { renderAsync } from '@resvg/resvg-js'
import { lowerPriority } from '../../lib/lower-priority.ts'
import { dieBeforeOthers, endAtOnce, endWithPipes } from '../../lib/own-process.ts'
import { svgToPng } from '../draw-svg.ts'
import { createFrameReader, encodeFrame } from '../frames.ts'
import {
  budgetOf,
  type CallersPicture,
  keptBytesMax,
  outgrown,
  type PictureBudget,
  type PictureOrder,
  pictureFrameBytesMax,
  pictureReply,
} from './picture-messages.ts'

/**
 * The program of the process that draws callers' pictures, started by `picture-drawer.ts` only. resvg works on a thread
 * of its own, so the main thread stays free to watch it: native code that overruns its budget can be ended only with
 * its process. The same holds for a parent that is gone: when the pipe closes, the process ends at once.
 */
const watchMs = 10

const bytesAtStart = residentBytes()
let isDrawing = false
const read = createFrameReader(
  pictureFrameBytesMax,
  (_, content) => void draw(JSON.parse(content.toString())),
)
process.stdin.on('data', read)
process.stdin.on('end', endAtOnce)
endWithPipes()
dieBeforeOthers()
lowerPriority()
reply(pictureReply.ready)

async function draw(job: PictureOrder): Promise<void> {
  if (isDrawing) return endAtOnce()
  isDrawing = true
  const made = await drawJob(job).catch(() => undefined)
  isDrawing = false
  const flag = residentBytes() - bytesAtStart > keptBytesMax ? outgrown : 0
  if (made === undefined) reply(pictureReply.unreadable | flag)
  else reply(pictureReply.drawn | flag, made)
}

/** Undefined when there is nothing to see, or it cannot be decoded. */
async function drawJob(job: PictureOrder): Promise<Uint8Array | undefined> {
  if (job.kind === 'drawing') return svgToPng(job.svg)
  const watch = watchBudget(budgetOf(job))
  try {
    if (job.kind === 'picture') return await drawPicture(job)
    const { encodeBackground, encodeLogo } = await import('./convert-picture.ts')
    return job.kind === 'logo' ? await encodeLogo(job) : await encodeBackground(job)
  } finally {
    clearInterval(watch)
  }
}

/** Undefined when there is nothing to see: resvg leaves out what it cannot decode, and says nothing. */
async function drawPicture({
  href,
  widthPx,
  heightPx,
  zoom,
}: CallersPicture): Promise<Uint8Array | undefined> {
  const size = `width="${widthPx}" height="${heightPx}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`
  const picture = await renderAsync(svg, {
    font: { loadSystemFonts: false },
    fitTo: { mode: 'zoom', value: zoom },
    logLevel: 'off',
  })
  // An SVG may be nothing but text, which is drawn where there are fonts.
  return href.startsWith('data:image/svg') || !isBlank(picture.pixels) ? picture.asPng() : undefined
}

/** Whether nothing of RGBA pixels can be seen. */
function isBlank(pixels: Uint8Array): boolean {
  for (let alpha = 3; alpha < pixels.length; alpha += 4) if (pixels[alpha] !== 0) return false
  return true
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
    if (isLarge) reply(pictureReply.oversized, undefined, endAtOnce)
    else if (cpuMs > cpuMsMax) reply(pictureReply.overrun, undefined, endAtOnce)
    else if (isLate) reply(pictureReply.stalled, undefined, endAtOnce)
  }, watchMs)
}

function reply(kind: number, content: Uint8Array = new Uint8Array(), then?: () => void): void {
  process.stdout.write(encodeFrame(kind, content), then)
}

function residentBytes(): number {
  return process.memoryUsage().rss
}
