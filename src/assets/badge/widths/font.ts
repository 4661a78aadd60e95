import { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { packedWidths } from './widths.generated.ts'

export type BadgeFont = keyof typeof packedWidths

export interface FontWidths {
  readonly sizePx: number
  /** Widths by UTF-16 unit below 128, without gaps. */
  readonly ascii: Float64Array
  /** Width of a code point in px; undefined when it was not measured. */
  of(codePoint: number): number | undefined
}

const loaded = new Map<BadgeFont, FontWidths>()

/** The widths of a font; unpacked at the first call (about 2 ms). */
export function fontWidths(font: BadgeFont): FontWidths {
  let widths = loaded.get(font)
  if (!widths) {
    widths = unpack(inflateRawSync(Buffer.from(packedWidths[font], 'base64')), font)
    loaded.set(font, widths)
  }
  return widths
}

const unmeasured = 0xffff

function unpack(bytes: Uint8Array, font: BadgeFont): FontWidths {
  const [count, gaps, lengths, widths] = columns(bytes)
  const basic = new Uint16Array(0x10000).fill(unmeasured)
  const beyond: [first: number, last: number, widthPx: number][] = []
  let last = 0
  for (let row = 0; row < count; row++) {
    const first = last + (gaps[row] ?? 0)
    last = first + (lengths[row] ?? 0)
    const hundredths = widths[row] ?? 0
    if (first < 0x10000) basic.fill(hundredths, first, last + 1)
    else beyond.push([first, last, hundredths / 100])
  }
  const ascii = Float64Array.from(basic.subarray(0, 128), (value) => (value === unmeasured ? 0 : value / 100))
  return {
    sizePx: font.includes('10') ? 10 : 11,
    ascii,
    of(codePoint) {
      if (codePoint >= 0x10000) return beyond.find(([from, to]) => codePoint >= from && codePoint <= to)?.[2]
      const hundredths = basic[codePoint]
      return hundredths === undefined || hundredths === unmeasured ? undefined : hundredths / 100
    },
  }
}

function columns(
  bytes: Uint8Array,
): [count: number, gaps: Uint16Array, lengths: Uint16Array, widths: Uint16Array] {
  let at = 0
  function varint() {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const count = varint()
  function column() {
    return Uint16Array.from({ length: count }, varint)
  }
  return [count, column(), column(), column()]
}
