import { fourLetters, type HarfBuzzModule } from './harfbuzz-module.ts'
import type { Direction } from './types.ts'

export interface ShapeRequest {
  /** The whole stretch; what lies outside `start` to `end` is context for joining. */
  readonly text: string
  readonly start: number
  readonly end: number
  readonly direction: Direction
  /** BCP 47; empty for none. */
  readonly lang: string
  /** Turns optional ligatures off, as letter spacing wants it. */
  readonly separate: boolean
}

/** Glyphs in visual order. `cluster` counts UTF-16 units of the whole text. Lengths in 1/1000 em, y up. */
export interface ShapedGlyph {
  readonly id: number
  readonly cluster: number
  readonly xAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

const glyphBytes = 20

/** Shapes with any font of the module. One buffer serves all calls, which are synchronous. */
export function createHarfBuzzShaper({ call, copyIn, memory }: HarfBuzzModule) {
  const buffer = call('hb_buffer_create')
  const noLigatures = call('malloc', 32)
  new Uint32Array(memory.buffer, noLigatures, 8).set(
    ['liga', 'clig'].flatMap((tag) => [fourLetters(tag), 0, 0, 0xffffffff]),
  )

  function languageOf(tag: string): number {
    const pointer = copyIn(new TextEncoder().encode(`${tag}\0`))
    const language = call('hb_language_from_string', pointer, -1)
    call('free', pointer)
    return language
  }

  function fillBuffer({ text, start, end, direction, lang }: ShapeRequest): void {
    const pointer = call('malloc', text.length * 2 + 2)
    const units = new Uint16Array(memory.buffer, pointer, text.length)
    for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index)
    call('hb_buffer_reset', buffer)
    call('hb_buffer_add_utf16', buffer, pointer, text.length, start, end - start)
    call('free', pointer)
    call('hb_buffer_set_direction', buffer, direction === 'rtl' ? 5 : 4)
    if (lang !== '') call('hb_buffer_set_language', buffer, languageOf(lang))
    call('hb_buffer_guess_segment_properties', buffer)
  }

  function readBuffer(): ShapedGlyph[] {
    const length = call('hb_buffer_get_length', buffer)
    const infos = call('hb_buffer_get_glyph_infos', buffer, 0)
    const positions = call('hb_buffer_get_glyph_positions', buffer, 0)
    const view = new DataView(memory.buffer)
    return Array.from({ length }, (_, index) => {
      const info = infos + index * glyphBytes
      const position = positions + index * glyphBytes
      return {
        id: view.getUint32(info, true),
        cluster: view.getUint32(info + 8, true),
        xAdvance: view.getInt32(position, true),
        xOffset: view.getInt32(position + 8, true),
        yOffset: view.getInt32(position + 12, true),
      }
    })
  }

  /** @param font pointer of a font of the same module. */
  return (font: number, request: ShapeRequest): ShapedGlyph[] => {
    fillBuffer(request)
    call('hb_shape', font, buffer, request.separate ? noLigatures : 0, request.separate ? 2 : 0)
    return readBuffer()
  }
}
