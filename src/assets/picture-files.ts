import { Problem } from '../errors.ts'
import { type Body, textBody } from '../lib/body.ts'
import { RasterBusy } from '../raster/pool.ts'
import type { AssetHead } from './producer.ts'

const contentTypes = { svg: 'image/svg+xml', png: 'image/png', json: 'application/json' } as const

/** The head of an answer in one of the three usual formats. `name` has no extension. */
export function fileHead(format: keyof typeof contentTypes, name: string): AssetHead {
  return { contentType: contentTypes[format], filename: `${name}.${format}` }
}

export function jsonBody(value: unknown): Body {
  return textBody(JSON.stringify(value))
}

/** Waits for a PNG. Rejects with a 503 while too many pictures wait for the raster workers. */
export async function pngBody(drawing: Promise<Uint8Array<ArrayBuffer>>): Promise<Body> {
  return drawing.catch(throwBusy)
}

/** Throws a 503 in place of `RasterBusy`, and any other error as it is. */
export function throwBusy(error: unknown): never {
  if (!(error instanceof RasterBusy)) throw error
  throw new Problem('busy', 'Too many pictures wait to be drawn.', {
    headers: { 'retry-after': '2' },
    cause: error,
  })
}
