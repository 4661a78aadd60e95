import type { PathSink } from '../svg/path-sink.ts'
import type { Direction } from './types.ts'
import { wasmCallback } from './wasm-callback.ts'

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

/** One instance of a font: all variation axes are set. */
export interface HarfBuzzFont {
  shape(request: ShapeRequest): ShapedGlyph[]
  /** The glyph's outline in 1/1000 em, y up. */
  draw(glyph: number, sink: PathSink): void
}

/** A font file inside HarfBuzz's memory. It must be freed, with all its instances: no collector sees it. */
export interface HarfBuzzFace {
  readonly bytes: number
  /** @param axes values of the variation axes, for example `{ wght: 700 }`; unknown ones are ignored. */
  font(axes: Readonly<Record<string, number>>): HarfBuzzFont
  /** Every code point in the font's character map. */
  codePoints(): number[]
  free(): void
}

export interface HarfBuzz {
  createFace(data: Uint8Array): HarfBuzzFace
  /** Size of HarfBuzz's whole memory, which never shrinks. */
  heapBytes(): number
}

type Exports = Readonly<Record<string, (...args: number[]) => number>> & {
  readonly memory: WebAssembly.Memory
  readonly __indirect_function_table: WebAssembly.Table
}

const unitsPerEm = 1000
const writableMemory = 2
const sizeOfGlyph = 20

/**
 * Binds HarfBuzz's WebAssembly module directly: its JavaScript wrapper frees fonts only when the garbage
 * collector runs, which no byte budget can be built on.
 */
export function createHarfBuzz(wasm: Uint8Array): HarfBuzz {
  function abort() {
    throw new Error('HarfBuzz aborted')
  }
  function grow(bytes: number) {
    const missing = (bytes >>> 0) - hb.memory.buffer.byteLength
    try {
      hb.memory.grow(Math.max(0, Math.ceil(missing / 65536)))
      return 1
    } catch {
      return 0
    }
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(wasm)), {
    wasi_snapshot_preview1: { proc_exit: abort },
    env: {
      _emscripten_runtime_keepalive_clear() {},
      _abort_js: abort,
      _setitimer_js: () => 0,
      emscripten_resize_heap: grow,
    },
  })
  const hb = instance.exports as Exports
  call('__wasm_call_ctors')

  let sink: PathSink | undefined
  const drawFuncs = createDrawFuncs()
  const buffer = call('hb_buffer_create')
  const languages = new Map<string, number>()

  function call(name: string, ...args: number[]): number {
    const target = hb[name]
    if (target === undefined) throw new Error(`HarfBuzz has no ${name}`)
    return target(...args)
  }

  function createDrawFuncs(): number {
    function add(parameters: string, callback: (...args: number[]) => void) {
      return hb.__indirect_function_table.grow(1, wasmCallback(callback, parameters))
    }
    const funcs = call('hb_draw_funcs_create')
    function set(name: string, slot: number) {
      return call(`hb_draw_funcs_set_${name}_func`, funcs, slot, 0, 0)
    }
    set(
      'move_to',
      add('iiiffi', (_f, _d, _s, x = 0, y = 0) => sink?.moveTo(x, y)),
    )
    set(
      'line_to',
      add('iiiffi', (_f, _d, _s, x = 0, y = 0) => sink?.lineTo(x, y)),
    )
    set(
      'quadratic_to',
      add('iiiffffi', (_f, _d, _s, a = 0, b = 0, x = 0, y = 0) => sink?.quadraticTo(a, b, x, y)),
    )
    set(
      'cubic_to',
      add('iiiffffffi', (_f, _d, _s, a = 0, b = 0, c = 0, d = 0, x = 0, y = 0) =>
        sink?.cubicTo(a, b, c, d, x, y),
      ),
    )
    set(
      'close_path',
      add('iiii', () => sink?.close()),
    )
    return funcs
  }

  function language(tag: string): number {
    const known = languages.get(tag)
    if (known !== undefined) return known
    const pointer = copyIn(new TextEncoder().encode(`${tag}\0`))
    const id = call('hb_language_from_string', pointer, -1)
    call('free', pointer)
    if (languages.size < 256) languages.set(tag, id)
    return id
  }

  function copyIn(data: Uint8Array): number {
    const pointer = call('malloc', Math.max(1, data.length))
    if (pointer === 0) throw new Error('HarfBuzz is out of memory')
    new Uint8Array(hb.memory.buffer, pointer, data.length).set(data)
    return pointer
  }

  function setVariations(font: number, axes: Readonly<Record<string, number>>): void {
    const entries = Object.entries(axes)
    const pointer = call('malloc', 8 * entries.length + 1)
    const view = new DataView(hb.memory.buffer)
    entries.forEach(([tag, value], index) => {
      view.setUint32(pointer + index * 8, fourLetters(tag), true)
      view.setFloat32(pointer + index * 8 + 4, value, true)
    })
    call('hb_font_set_variations', font, pointer, entries.length)
    call('free', pointer)
  }

  function fillBuffer({ text, start, end, direction, lang }: ShapeRequest): void {
    const pointer = call('malloc', text.length * 2 + 2)
    const units = new Uint16Array(hb.memory.buffer, pointer, text.length)
    for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index)
    call('hb_buffer_reset', buffer)
    call('hb_buffer_add_utf16', buffer, pointer, text.length, start, end - start)
    call('free', pointer)
    call('hb_buffer_set_direction', buffer, direction === 'rtl' ? 5 : 4)
    if (lang !== '') call('hb_buffer_set_language', buffer, language(lang))
    call('hb_buffer_guess_segment_properties', buffer)
  }

  function readBuffer(): ShapedGlyph[] {
    const length = call('hb_buffer_get_length', buffer)
    const infos = call('hb_buffer_get_glyph_infos', buffer, 0)
    const positions = call('hb_buffer_get_glyph_positions', buffer, 0)
    const view = new DataView(hb.memory.buffer)
    return Array.from({ length }, (_, index) => {
      const info = infos + index * sizeOfGlyph
      const position = positions + index * sizeOfGlyph
      return {
        id: view.getUint32(info, true),
        cluster: view.getUint32(info + 8, true),
        xAdvance: view.getInt32(position, true),
        xOffset: view.getInt32(position + 8, true),
        yOffset: view.getInt32(position + 12, true),
      }
    })
  }

  const noLigatures = call('malloc', 32)
  new Uint32Array(hb.memory.buffer, noLigatures, 8).set(
    ['liga', 'clig'].flatMap((tag) => [fourLetters(tag), 0, 0, 0xffffffff]),
  )

  function createFont(
    face: number,
    axes: Readonly<Record<string, number>>,
  ): HarfBuzzFont & { readonly pointer: number } {
    const font = call('hb_font_create', face)
    call('hb_font_set_scale', font, unitsPerEm, unitsPerEm)
    setVariations(font, axes)
    return {
      pointer: font,
      shape(request) {
        fillBuffer(request)
        call('hb_shape', font, buffer, request.separate ? noLigatures : 0, request.separate ? 2 : 0)
        return readBuffer()
      },
      draw(glyph, target) {
        sink = target
        call('hb_font_draw_glyph', font, glyph, drawFuncs, 0)
        sink = undefined
      },
    }
  }

  function codePointsOf(face: number): number[] {
    const set = call('hb_set_create')
    call('hb_face_collect_unicodes', face, set)
    const count = call('hb_set_get_population', set)
    const pointer = call('malloc', count * 4 + 4)
    call('hb_set_next_many', set, -1, pointer, count)
    const points = [...new Uint32Array(hb.memory.buffer, pointer, count)]
    call('free', pointer)
    call('hb_set_destroy', set)
    return points
  }

  return {
    createFace(data) {
      const pointer = copyIn(data)
      const blob = call('hb_blob_create', pointer, data.length, writableMemory, 0, 0)
      const face = call('hb_face_create', blob, 0)
      const fonts: number[] = []
      return {
        bytes: data.length,
        font(axes) {
          const font = createFont(face, axes)
          fonts.push(font.pointer)
          return font
        },
        codePoints: () => codePointsOf(face),
        free() {
          for (const font of fonts) call('hb_font_destroy', font)
          call('hb_face_destroy', face)
          call('hb_blob_destroy', blob)
          call('free', pointer)
        },
      }
    },
    heapBytes: () => hb.memory.buffer.byteLength,
  }
}

function fourLetters(tag: string): number {
  return [...tag].reduce((sum, letter) => (sum << 8) | letter.charCodeAt(0), 0) >>> 0
}
