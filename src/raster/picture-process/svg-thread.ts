import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { readElements } from '../../svg/read-safe-svg.ts'
import { NeedsPixels, readShapes, UnreadableSvg } from '../../svg/read-shapes.ts'
import { readShapesSvg, writeShapesSvg } from '../../svg/shapes-svg.ts'

/**
 * The program of a thread in the process for callers' pictures, started by `convert-picture.ts` only: nothing else can be
 * done on a thread that resvg's normaliser or Skia is at work on, so the main thread is left to watch the process.
 */
parentPort?.once('message', async (source: string) => parentPort?.postMessage(await shapesOf(source)))

/** A caller's SVG as one of `writeShapesSvg`; undefined where it needs pixels. Where it cannot be drawn, the end of a sentence why. */
export async function shapesOf(source: string): Promise<string | undefined> {
  try {
    const svg = writeShapesSvg(await readShapes(normalized(source), hasFrame(source)))
    return readShapesSvg(svg) && svg
  } catch (error) {
    if (error instanceof NeedsPixels) return undefined
    if (error instanceof UnreadableSvg) return error.message
    throw error
  }
}

/** Tells whether an SVG says what part of it is shown. */
function hasFrame(source: string): boolean {
  const { viewBox, width, height } = readElements(source, 1)[0]?.attributes ?? {}
  return viewBox !== undefined || (width !== undefined && height !== undefined)
}

function normalized(source: string): string {
  try {
    return new Resvg(source, { font: { loadSystemFonts: false }, logLevel: 'off' }).toString()
  } catch (error) {
    const [, fault = ''] =
      /^SVG data parsing failed cause (.{1,100})/.exec(String(Object(error).message)) ?? []
    throw new UnreadableSvg(`cannot be read: ${fault}`, { cause: error })
  }
}
