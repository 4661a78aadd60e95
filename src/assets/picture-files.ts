import { busy, Problem } from '../errors.ts'
import { type Body, textBody } from '../lib/body.ts'
import { addressBlock } from '../lib/client-addresses.ts'
import { LimiterFull } from '../lib/fair-limiter.ts'
import type { Waiter } from '../lib/waiter.ts'
import { PictureLimited, PictureTooLong } from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/thread-pool.ts'
import { type DrawnFormat, drawnFormat } from './kit/asset.ts'
import type { AssetHead, ProduceContext } from './kit/producer.ts'

export function fileHead(format: DrawnFormat, name: string): AssetHead {
  const { mediaType, extensions } = drawnFormat(format)
  return { contentType: mediaType, filename: `${name}.${extensions[0]}` }
}

export function jsonBody(value: unknown): Body {
  return textBody(JSON.stringify(value))
}

/** Returns the drawing, or a promise of it. Rejects with a 503 while too many wait to be laid out or drawn. */
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
  const detail = isTooLong ? error.message : 'Too many pictures wait to be drawn.'
  throw busy(detail, isTooLong ? 60 : 2, error)
}

const ascii = /^[ -~]*$/
const marks = /\p{M}/gu
const betweenWords = /[^a-z0-9]+/g

/** A file name from a text: ASCII letters, digits and hyphens, at most 60; `fallback` when nothing is left. */
export function slug(text: string, fallback: string): string {
  const plain = ascii.test(text) ? text : text.normalize('NFKD').replace(marks, '')
  const words = plain.toLowerCase().replace(betweenWords, '-')
  const end = words.endsWith('-') ? words.length - 1 : words.length
  return words.slice(words.startsWith('-') ? 1 : 0, end).slice(0, 60) || fallback
}

/** The caller of a drawing, in queues. A class, because the address is found when it is read, which most drawings need not. */
export class DrawingClient {
  readonly #context: ProduceContext

  constructor(context: ProduceContext) {
    this.#context = context
  }

  get name(): string {
    return addressBlock(this.#context.clientAddress)
  }

  get waiter(): Waiter | undefined {
    return this.#context.waiter
  }
}
