import { LRUCache } from 'lru-cache'
import { rasterCacheBytes } from './cache-bytes.ts'
import { BitStream } from './jpeg/bit-stream.ts'
import { BlockCoder } from './jpeg/block-coder.ts'
import { jpegHead } from './jpeg/jpeg-head.ts'
import { colorCodes, divisorsAt, lightCodes, pixelsPerColor } from './jpeg/jpeg-tables.ts'
import { PixelBlocks } from './jpeg/pixel-blocks.ts'
import type { BackedBitmap } from './pixel-canvas.ts'
import { cellPx } from './touched-cells.ts'

/** The coded units (blocks of light with their colour) of a card. Those over which nothing was painted are equal in every card with this background. */
interface CodedUnits {
  readonly words: Uint32Array
  /** The bit at which each unit starts, and the end. */
  readonly starts: Uint32Array
  /** 1 where the unit and the one before it, from which it goes on, show nothing but the background. */
  readonly areBackground: Uint8Array
  /** The first coefficients with which the unit ends: of light, blue and red. */
  readonly ends: Int16Array
}

const cachedUnits = new LRUCache<string, CodedUnits>({
  maxSize: rasterCacheBytes.jpegBackgrounds,
  sizeCalculation: ({ words, starts, areBackground, ends }, key) =>
    words.byteLength + starts.byteLength + areBackground.byteLength + ends.byteLength + 2 * key.length,
})

const bits = new BitStream()

/**
 * Encodes a card as a baseline JPEG. Equal pixels give equal bytes on every machine. What a card shows of a background that
 * was encoded before is copied bit by bit.
 */
export function encodeCardJpeg(bitmap: BackedBitmap, quality: number): Uint8Array<ArrayBuffer> {
  const { widthPx, heightPx, channels, behind } = bitmap
  if (channels !== 3) throw new Error('a JPEG has no transparent pixels')
  const perColor = pixelsPerColor(quality)
  const divisors = divisorsAt(quality)
  const units = new UnitCoder(bitmap, divisors, perColor)
  const key = behind && `${quality} ${widthPx} ${behind.key}`
  const cached = key === undefined ? undefined : cachedUnits.get(key)
  bits.clear()
  if (cached !== undefined) units.writeOver(cached)
  else {
    const coded = units.writeAll()
    if (key !== undefined) cachedUnits.set(key, { ...coded, words: bits.taken() })
  }
  return fileOf(jpegHead(widthPx, heightPx, divisors, perColor))
}

class UnitCoder {
  readonly #blocks: PixelBlocks
  readonly #light: BlockCoder
  readonly #color: BlockCoder
  readonly #lightBlocks: number
  readonly #sidePx: number
  readonly #columns: number
  readonly #count: number
  readonly #isTouched: (unit: number) => boolean
  #lastLight = 0
  #lastBlue = 0
  #lastRed = 0

  constructor(bitmap: BackedBitmap, [light, color]: readonly [Uint8Array, Uint8Array], perColor: 1 | 2) {
    this.#blocks = new PixelBlocks(bitmap, perColor)
    this.#light = new BlockCoder(light, lightCodes)
    this.#color = new BlockCoder(color, colorCodes)
    this.#lightBlocks = perColor * perColor
    const sidePx = 8 * perColor
    const columns = Math.ceil(bitmap.widthPx / sidePx)
    this.#sidePx = sidePx
    this.#columns = columns
    this.#count = columns * Math.ceil(bitmap.heightPx / sidePx)
    const touched = bitmap.behind?.touched
    const perCell = cellPx / sidePx
    this.#isTouched = (unit) => {
      if (touched === undefined) return true
      const row = Math.floor(Math.floor(unit / columns) / perCell)
      return touched.cells[row * touched.columns + Math.floor((unit % columns) / perCell)] === 1
    }
  }

  /** Codes every unit. */
  writeAll(): Omit<CodedUnits, 'words'> {
    const count = this.#count
    const starts = new Uint32Array(count + 1)
    const areBackground = new Uint8Array(count)
    const ends = new Int16Array(3 * count)
    let isBefore = true
    for (let unit = 0; unit < count; unit++) {
      starts[unit] = bits.length
      this.#write(unit)
      ends[3 * unit] = this.#lastLight
      ends[3 * unit + 1] = this.#lastBlue
      ends[3 * unit + 2] = this.#lastRed
      const isBackground = !this.#isTouched(unit)
      areBackground[unit] = isBackground && isBefore ? 1 : 0
      isBefore = isBackground
    }
    starts[count] = bits.length
    return { starts, areBackground, ends }
  }

  /** Copies the units that are as in another card over this background, and codes the others. */
  writeOver(coded: CodedUnits): void {
    const { words, starts, ends } = coded
    for (let unit = 0; unit < this.#count; ) {
      const end = this.#endOfCopy(coded, unit)
      if (end === unit) {
        this.#write(unit++)
        continue
      }
      bits.putFrom(words, starts[unit] as number, starts[end] as number)
      this.#lastLight = ends[3 * end - 3] as number
      this.#lastBlue = ends[3 * end - 2] as number
      this.#lastRed = ends[3 * end - 1] as number
      unit = end
    }
  }

  /** The first unit from `unit` on that cannot be copied. */
  #endOfCopy({ areBackground }: CodedUnits, unit: number): number {
    if (unit > 0 && this.#isTouched(unit - 1)) return unit
    let end = unit
    while (end < this.#count && areBackground[end] === 1 && !this.#isTouched(end)) end++
    return end
  }

  #write(unit: number): void {
    const { samples } = this.#blocks
    const sidePx = this.#sidePx
    const end = this.#lightBlocks * 64
    this.#blocks.load((unit % this.#columns) * sidePx, Math.floor(unit / this.#columns) * sidePx)
    // A coefficient takes at most 27 bits.
    bits.reserve(samples.length)
    for (let at = 0; at < end; at += 64)
      this.#lastLight = this.#light.write(bits, samples, at, this.#lastLight)
    this.#lastBlue = this.#color.write(bits, samples, end, this.#lastBlue)
    this.#lastRed = this.#color.write(bits, samples, end + 64, this.#lastRed)
  }
}

/** The head, the bits, with a zero behind each byte of ones, and the end. */
function fileOf(head: readonly number[]): Uint8Array<ArrayBuffer> {
  const words = bits.taken()
  const count = Math.ceil(bits.length / 8)
  let ones = 0
  for (let index = 0; index < count; index++) if (byteAt(words, index) === 255) ones++
  const file = new Uint8Array(head.length + count + ones + 2)
  file.set(head)
  let to = head.length
  for (let index = 0; index < count; index++) {
    const byte = byteAt(words, index)
    file[to++] = byte
    if (byte === 255) to++
  }
  file[to] = 0xff
  file[to + 1] = 0xd9
  return file
}

function byteAt(words: Uint32Array, index: number): number {
  return ((words[index >> 2] as number) >>> (24 - 8 * (index & 3))) & 255
}
