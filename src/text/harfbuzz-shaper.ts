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
  /** Turns these and contextual forms off: in a font for code they make one sign of `++` and part `://`. */
  readonly plain?: boolean
}

/** Glyphs in visual order. `cluster` counts UTF-16 units of the whole text. Lengths in 1/1000 em, y up. */
export interface ShapedGlyph {
  readonly id: number
  readonly cluster: number
  readonly xAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

/** Numbers of 32 bits for each glyph. */
const glyphWords = 5

/**
 * Length of the buffer that is kept, in UTF-16 units. Most texts are short; a longer one gets a buffer of its own.
 */
const unitsMax = 256

/** Shapes with any font of the module. One buffer serves all calls, which are synchronous. */
export function createHarfBuzzShaper(module: HarfBuzzModule) {
  const { call, copyIn, entry, memory } = module
  const shape = entry('hb_shape')
  const reset = entry('hb_buffer_reset')
  const addUtf16 = entry('hb_buffer_add_utf16')
  const setDirection = entry('hb_buffer_set_direction')
  const setLanguage = entry('hb_buffer_set_language')
  const guessProperties = entry('hb_buffer_guess_segment_properties')
  const glyphInfos = entry('hb_buffer_get_glyph_infos')
  const glyphPositions = entry('hb_buffer_get_glyph_positions')
  const buffer = call('hb_buffer_create')
  const units = call('malloc', unitsMax * 2)
  const count = call('malloc', 4)
  const offTags = ['liga', 'clig', 'calt']
  const featuresOff = call('malloc', offTags.length * 16)
  new Uint32Array(memory.buffer, featuresOff, offTags.length * 4).set(
    offTags.flatMap((tag) => [fourLetters(tag), 0, 0, 0xffffffff]),
  )
  let views = viewsOf(memory)

  /** Views of HarfBuzz's memory, whose buffer is replaced when it grows. */
  function currentViews() {
    if (views.words.buffer !== memory.buffer) views = viewsOf(memory)
    return views
  }

  function languageOf(tag: string): number {
    const pointer = copyIn(new TextEncoder().encode(`${tag}\0`))
    const language = call('hb_language_from_string', pointer, -1)
    call('free', pointer)
    return language
  }

  function fillBuffer({ text, start, end, direction, lang }: ShapeRequest): void {
    const pointer = text.length <= unitsMax ? units : call('malloc', text.length * 2)
    const { halves } = currentViews()
    for (let index = 0; index < text.length; index++) halves[pointer / 2 + index] = text.charCodeAt(index)
    reset(buffer)
    addUtf16(buffer, pointer, text.length, start, end - start)
    if (pointer !== units) call('free', pointer)
    setDirection(buffer, direction === 'rtl' ? 5 : 4)
    if (lang !== '') setLanguage(buffer, languageOf(lang))
    guessProperties(buffer)
  }

  function readBuffer(): ShapedGlyph[] {
    const infos = glyphInfos(buffer, count) / 4
    const positions = glyphPositions(buffer, 0) / 4
    const { words, signed } = currentViews()
    const glyphs: ShapedGlyph[] = []
    for (let left = words[count / 4] ?? 0, at = 0; left > 0; left--, at += glyphWords)
      glyphs.push({
        id: words[infos + at] ?? 0,
        cluster: words[infos + at + 2] ?? 0,
        xAdvance: signed[positions + at] ?? 0,
        xOffset: signed[positions + at + 2] ?? 0,
        yOffset: signed[positions + at + 3] ?? 0,
      })
    return glyphs
  }

  /** @param font pointer of a font of the same module. */
  return (font: number, request: ShapeRequest): ShapedGlyph[] => {
    fillBuffer(request)
    const offCount = request.plain ? offTags.length : request.separate ? 2 : 0
    shape(font, buffer, offCount > 0 ? featuresOff : 0, offCount)
    return readBuffer()
  }
}

/** Memory as numbers of 16 and of 32 bits. Pointers are multiples of their size. */
function viewsOf({ buffer }: WebAssembly.Memory) {
  return { halves: new Uint16Array(buffer), words: new Uint32Array(buffer), signed: new Int32Array(buffer) }
}
