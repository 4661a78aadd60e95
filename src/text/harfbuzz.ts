import type { PathSink } from '../svg/read-path.ts'
import { harfbuzzFile, readFontFile } from './font-files.ts'
import {
  createHarfBuzzShaper,
  fourLetters,
  type HarfBuzzModule,
  loadHarfBuzzModule,
  type ShapedGlyph,
  type ShapeRequest,
} from './harfbuzz-shaper.ts'

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

function createFont(
  { call, memory }: HarfBuzzModule,
  face: number,
  axes: Readonly<Record<string, number>>,
): number {
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
export function createHarfBuzzPen({ call, addCallback }: HarfBuzzModule) {
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
