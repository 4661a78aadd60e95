import { Problem } from '../errors.ts'
import { type Body, textBody } from '../lib/body.ts'
import { LimiterFull } from '../lib/fair-limiter.ts'
import { PictureLimited, PictureTooLong } from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/thread-pool.ts'
import { type DrawnFormat, drawnFormat } from './drawn-formats.ts'
import type { AssetHead } from './kit/producer.ts'

/** The head of an answer in one of the usual formats. `name` has no extension. */
export function fileHead(format: DrawnFormat, name: string): AssetHead {
  const { mediaType, extensions } = drawnFormat(format)
  return { contentType: mediaType, filename: `${name}.${extensions[0]}` }
}

export function jsonBody(value: unknown): Body {
  return textBody(JSON.stringify(value))
}

/** Waits for a picture. Rejects with a 503 while too many pictures wait for the drawing threads. */
export async function pictureBody(drawing: Promise<Body>): Promise<Body> {
  return drawing.catch(throwBusy)
}

/** Returns the drawing, or a promise of it. Rejects with a 503 while too many texts wait to be laid out. */
export function unlessBusy<T>(drawing: T | Promise<T>): T | Promise<T> {
  return drawing instanceof Promise ? drawing.catch(throwBusy) : drawing
}

/** Throws what becomes of a caller's picture that could not be drawn: a 429 in place of `PictureLimited`, else as `throwBusy`. */
export function throwUndrawn(error: unknown): never {
  if (error instanceof PictureLimited)
    throw new Problem('rate_limited', error.message, {
      headers: { 'retry-after': String(error.waitSeconds) },
    })
  return throwBusy(error)
}

/** Throws a 503 in place of `RasterBusy` and `LimiterFull`, and any other error as it is. */
export function throwBusy(error: unknown): never {
  if (!(error instanceof RasterBusy || error instanceof LimiterFull)) throw error
  const isTooLong = error instanceof PictureTooLong
  throw new Problem('busy', isTooLong ? error.message : 'Too many pictures wait to be drawn.', {
    headers: { 'retry-after': isTooLong ? '60' : '2' },
    cause: error,
  })
}
