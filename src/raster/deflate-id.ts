import { hash } from 'node:crypto'
import process from 'node:process'
import { pictureFormats } from './picture-formats.ts'
import { outputPieceBytes, pngLevels } from './zlib.ts'

const { bun = '', deno = '', zlib = '' } = process.versions

/**
 * Names the deflate of this runtime. Bun, Deno, their versions and processors compress the same pixels to different bytes,
 * and so do our own settings, the number of colours among them: the strong ETag of a PNG has to differ with them. Most
 * cards, JPEG and WebP are encoded by WebAssembly, everywhere alike.
 */
export const deflateId = hash(
  'sha256',
  `bun ${bun} deno ${deno} zlib ${zlib} ${process.arch} ${JSON.stringify(pngLevels)} ${outputPieceBytes} ${pictureFormats.png.backgroundColorsMax}`,
  'base64url',
).slice(0, 8)
