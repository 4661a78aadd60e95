import { mappedSink, type PathSink } from '../svg/read-path.ts'
import { type PathData, PathWriter, withoutClosingLines } from '../svg/write-path.ts'
import { harfbuzzFile, readFontFile } from './font-files.ts'
import type { Direction } from './types.ts'

/** Compiles WebAssembly off the event loop. */
export async function loadHarfBuzz(): Promise<HarfBuzz> {
  const wasm = new Uint8Array(await readFontFile(harfbuzzFile))
  return createHarfBuzz(await WebAssembly.compile(wasm))
}

export type HarfBuzz = ReturnType<typeof createHarfBuzz>

export type HarfBuzzFace = ReturnType<HarfBuzz['createFace']>

/** One instance of a font: all variation axes are set. */
export type HarfBuzzFont = ReturnType<HarfBuzzFace['font']>

const unitsPerEm = 1000
const writableMemory = 2

/** Binds HarfBuzz's module directly: its JavaScript wrapper frees fonts when the collector runs, which no byte budget can use. */
export function createHarfBuzz(wasm: Uint8Array | WebAssembly.Module) {
  const module = loadHarfBuzzModule(wasm)
  const { call, copyIn, memory } = module
  const shape = createHarfBuzzShaper(module)
  const draw = createHarfBuzzPen(module)
  return {
    /** A font file inside HarfBuzz's memory. It must be freed, with all its instances: no collector sees it. */
    createFace(data: Uint8Array) {
      const pointer = copyIn(data)
      const blob = call('hb_blob_create', pointer, data.length, writableMemory, 0, 0)
      const face = call('hb_face_create', blob, 0)
      const fonts: number[] = []
      return {
        bytes: data.length,
        /** @param axes values of the variation axes, for example `{ wght: 700 }`; unknown ones are ignored. */
        font(axes: Readonly<Record<string, number>>) {
          const font = createFont(module, face, axes)
          fonts.push(font)
          return {
            shape: (request: ShapeRequest): ShapedGlyph[] => shape(font, request),
            /** Draws the outline in 1/1000 em, y up. */
            draw: (glyph: number, sink: PathSink): void => draw(font, glyph, sink),
            /** The glyph of a code point; 0 when there is none. */
            glyphOf: (point: number): number => glyphOf(module, font, point),
          }
        },
        codePoints: (): readonly number[] => codePointsOf(module, face),
        free(): void {
          for (const font of fonts) call('hb_font_destroy', font)
          call('hb_face_destroy', face)
          call('hb_blob_destroy', blob)
          call('free', pointer)
        },
      }
    },
    wasm: module.compiled,
    /** Size of HarfBuzz's whole memory, which never shrinks. */
    heapBytes: () => memory.buffer.byteLength,
  }
}

function createFont({ call, memory }: HarfBuzzModule, face: number, axes: Readonly<Record<string, number>>) {
  const font = call('hb_font_create', face)
  call('hb_font_set_scale', font, unitsPerEm, unitsPerEm)
  const entries = Object.entries(axes)
  const pointer = call('malloc', 8 * entries.length + 1)
  const view = new DataView(memory.buffer)
  entries.forEach(([tag, value], index) => {
    view.setUint32(pointer + index * 8, fourLetters(tag), true)
    view.setFloat32(pointer + index * 8 + 4, value, true)
  })
  call('hb_font_set_variations', font, pointer, entries.length)
  call('free', pointer)
  return font
}

function glyphOf({ call, memory }: HarfBuzzModule, font: number, point: number): number {
  const pointer = call('malloc', 4)
  const isFound = call('hb_font_get_nominal_glyph', font, point, pointer) !== 0
  const glyph = isFound ? new DataView(memory.buffer).getUint32(pointer, true) : 0
  call('free', pointer)
  return glyph
}

function codePointsOf({ call, memory }: HarfBuzzModule, face: number): number[] {
  const set = call('hb_set_create')
  call('hb_face_collect_unicodes', face, set)
  const count = call('hb_set_get_population', set)
  const pointer = call('malloc', count * 4 + 4)
  call('hb_set_next_many', set, -1, pointer, count)
  const points = [...new Uint32Array(memory.buffer, pointer, count)]
  call('free', pointer)
  call('hb_set_destroy', set)
  return points
}

/** Draws glyphs of any font of the module into a sink: in 1/1000 em, y up. */
function createHarfBuzzPen({ call, addCallback }: HarfBuzzModule) {
  let sink: PathSink | undefined
  const funcs = call('hb_draw_funcs_create')
  function on(name: string, parameters: string, callback: (...args: number[]) => void) {
    call(`hb_draw_funcs_set_${name}_func`, funcs, addCallback(parameters, callback), 0, 0)
  }
  // Three pointers come first, one last; between them are the coordinates.
  on('move_to', 'iiiffi', (_f, _d, _s, x = 0, y = 0) => sink?.moveTo(x, y))
  on('line_to', 'iiiffi', (_f, _d, _s, x = 0, y = 0) => sink?.lineTo(x, y))
  on('quadratic_to', 'iiiffffi', (_f, _d, _s, cx = 0, cy = 0, x = 0, y = 0) =>
    sink?.quadraticTo(cx, cy, x, y),
  )
  on('cubic_to', 'iiiffffffi', (_f, _d, _s, ax = 0, ay = 0, bx = 0, by = 0, x = 0, y = 0) =>
    sink?.cubicTo(ax, ay, bx, by, x, y),
  )
  on('close_path', 'iiii', () => sink?.close())

  return (font: number, glyph: number, target: PathSink): void => {
    sink = target
    call('hb_font_draw_glyph', font, glyph, funcs, 0)
    sink = undefined
  }
}

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

const glyphWords = 5

/** In UTF-16 units. Most texts are short; a longer one gets a buffer of its own. */
const unitsMax = 256

/** Shapes with any font of the module. One buffer serves all calls, which are synchronous. */
function createHarfBuzzShaper(module: HarfBuzzModule) {
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

  function currentViews() {
    if (views.words.buffer !== memory.buffer) views = viewsOf(memory)
    return views
  }

  function fillBuffer({ text, start, end, direction, lang }: ShapeRequest): void {
    const pointer = text.length <= unitsMax ? units : call('malloc', text.length * 2)
    const { halves } = currentViews()
    for (let index = 0; index < text.length; index++) halves[pointer / 2 + index] = text.charCodeAt(index)
    reset(buffer)
    addUtf16(buffer, pointer, text.length, start, end - start)
    if (pointer !== units) call('free', pointer)
    setDirection(buffer, direction === 'rtl' ? 5 : 4)
    if (lang !== '') {
      const tag = copyIn(new TextEncoder().encode(`${lang}\0`))
      setLanguage(buffer, call('hb_language_from_string', tag, -1))
      call('free', tag)
    }
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

type HarfBuzzModule = ReturnType<typeof loadHarfBuzzModule>

/** HarfBuzz as WebAssembly: its functions by name, its memory and its function table. Pointers are plain numbers. */
function loadHarfBuzzModule(wasm: Uint8Array | WebAssembly.Module) {
  function grow(bytes: number) {
    const missing = (bytes >>> 0) - exports.memory.buffer.byteLength
    try {
      exports.memory.grow(Math.max(0, Math.ceil(missing / 65536)))
      return 1
    } catch {
      return 0
    }
  }
  const compiled = wasm instanceof Uint8Array ? new WebAssembly.Module(new Uint8Array(wasm)) : wasm
  const instance = new WebAssembly.Instance(compiled, {
    wasi_snapshot_preview1: { proc_exit: abort },
    env: {
      _emscripten_runtime_keepalive_clear() {},
      _abort_js: abort,
      _setitimer_js: () => 0,
      emscripten_resize_heap: grow,
    },
  })
  const exports = instance.exports as Readonly<Record<string, (...args: number[]) => number>> & {
    readonly memory: WebAssembly.Memory
    readonly __indirect_function_table: WebAssembly.Table
  }

  /** A function that is called often: looked up once. @throws Error when the module has no such function. */
  function entry(name: string): (...args: number[]) => number {
    const target = exports[name]
    if (target === undefined) throw new Error(`HarfBuzz has no ${name}`)
    return target
  }

  function call(name: string, ...args: number[]): number {
    return entry(name)(...args)
  }

  call('__wasm_call_ctors')
  return {
    compiled,
    memory: exports.memory,
    call,
    entry,
    /** Copies bytes into memory that must be freed. Returns the pointer. */
    copyIn(data: Uint8Array): number {
      const pointer = call('malloc', Math.max(1, data.length))
      if (pointer === 0) throw new Error('HarfBuzz is out of memory')
      new Uint8Array(exports.memory.buffer, pointer, data.length).set(data)
      return pointer
    },
    /** Makes a function callable through the table: see `wasmCallback`. Returns its slot. */
    addCallback: (parameters: string, callback: (...args: number[]) => void): number =>
      exports.__indirect_function_table.grow(1, wasmCallback(callback, parameters)),
  }
}

/** The number by which OpenType names a tag of four letters. */
function fourLetters(tag: string): number {
  return [...tag].reduce((sum, letter) => (sum << 8) | letter.charCodeAt(0), 0) >>> 0
}

function abort() {
  throw new Error('HarfBuzz aborted')
}

/** `WebAssembly.Function` is shipped by no runtime: a module that exports its import. `i` is i32, `f` is f32 in `parameters`. */
function wasmCallback(callback: (...args: number[]) => void, parameters: string): unknown {
  const types = [...parameters].map((letter) => (letter === 'f' ? 0x7d : 0x7f))
  const signature = [1, 0x60, types.length, ...types, 0]
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, signature.length, ...signature],
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
    ...[7, 5, 1, 1, 0x66, 0, 0],
  ]
  const module = new WebAssembly.Module(Uint8Array.from(bytes))
  return new WebAssembly.Instance(module, { e: { f: callback } }).exports['f']
}

/** The outline of a glyph on the grid of 1/1000 em, y down; undefined for a blank. A font's own y points up. */
export function glyphOutline(font: HarfBuzzFont, glyph: number): PathData | undefined {
  const writer = new PathWriter({ smoothWithin: 2, flatWithin: 0 })
  // Adding 0 turns a negative zero into a plain one.
  const sink = mappedSink(
    withoutClosingLines(writer),
    (x) => Math.round(x) + 0,
    (y) => 0 - Math.round(y),
  )
  font.draw(glyph, sink)
  return writer.finish()
}
