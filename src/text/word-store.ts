import { LRUCache } from 'lru-cache'
import { createTwoGenerationCache, type TwoGenerationCache } from '../lib/byte-cache.ts'
import { detached, hashText } from '../lib/words.ts'
import { OutlineJoiner, type PathData } from '../svg/write-path.ts'
import { type FontSource, isBrandFont } from './brand-fonts/brand-font.ts'
import { glyphsMax } from './brand-fonts/font-limits.ts'
import { type FontFile, readFontFileSync } from './font-files.ts'
import {
  glyphOutline,
  type HarfBuzz,
  type HarfBuzzFace,
  type HarfBuzzFont,
  type ShapedGlyph,
} from './harfbuzz.ts'
import { missingAdvance, missingBox } from './item-list.ts'
import type { Direction } from './types.ts'
import { unpackFont } from './woff2.ts'

export interface Word {
  readonly advance: number
  /** Undefined when nothing is painted. */
  readonly path: PathData | undefined
  /** Advance from the logical start to after each UTF-16 unit; inside a cluster that of its end. */
  readonly stops: readonly number[]
}

interface KeptWord extends Word {
  readonly key: string
  readonly run: string
}

export interface Run {
  readonly source: FontSource
  readonly variation: Variation
  readonly trackingUnits: number
  readonly direction: Direction
  readonly lang: string
}

export type WordStore = ReturnType<typeof createWordStore>

/** Its ligatures are for code. */
const codeFace = '@fontsource-variable/jetbrains-mono'
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Adlam}\u200D]/u

export function createWordStore(fonts: FontStore, bytesMax: number) {
  const words = createTwoGenerationCache<KeptWord, number>(
    bytesMax,
    ({ path, stops, key }) => (path?.body.length ?? 0) + stops.length * 8 + key.length * 2 + 600,
  )
  return {
    /** Fonts of equal runs share their words. */
    font(run: Run): StyledFont {
      const { source, variation, trackingUnits, direction, lang } = run
      const { weight, opticalSize } = variation
      const id = isBrandFont(source) ? source.key : `${source.packageName}/${source.file}`
      const name = `${id},${weight},${opticalSize},${trackingUnits},${direction},${lang}`
      return new StyledFont(fonts, words, run, name)
    },
    bytes: words.bytes,
  }
}

/** Words by hash, so that a cached word is found without being cut out of its text. The later of two with one hash is cached. */
type Words = Pick<TwoGenerationCache<KeptWord, number>, 'get' | 'set'>

/** Limit of a font: pairs of characters whose gap is cached. */
const pairsMax = 2048

/** One font as a style uses it. Lengths in 1/1000 em. A class, because cards in all scripts have more than a thousand of them. */
export class StyledFont {
  private readonly fonts: FontStore
  private readonly words: Words
  private readonly run: Run
  private readonly name: string
  private readonly seed: number
  private touching = new Map<number, number>()
  private spaced = new Map<number, number>()

  constructor(fonts: FontStore, words: Words, run: Run, name: string) {
    this.fonts = fonts
    this.words = words
    this.run = run
    this.name = name
    this.seed = hashText(name)
  }

  /** The room of a space, or of nothing, between two UTF-16 units of the font, kerned on its sides; 0 is no unit. */
  between(before: number, gap: '' | ' ', after: number): number {
    // A pair is one integer of 32 bits: a map finds it faster than a number with a fraction.
    const pair = (before << 16) | after
    const known = gap === '' ? this.touching : this.spaced
    const cached = known.get(pair)
    if (cached !== undefined) return cached
    const [first, last] = [textOf(before), textOf(after)]
    const room = this.advanceOf(first + gap + last) - this.advanceOf(first) - this.advanceOf(last)
    const kept = known.size >= pairsMax ? new Map<number, number>() : known
    this[gap === '' ? 'touching' : 'spaced'] = kept.set(pair, room)
    return room
  }

  private advanceOf(text: string): number {
    return text === '' ? 0 : this.word(text, 0, text.length).advance
  }

  /** Shapes `start` to `end` of a text by themselves. */
  word(text: string, start: number, end: number): Word {
    const cached = this.cached(text, start, end)
    if (cached !== undefined) return cached
    const letters = text.slice(start, end)
    return this.shape(letters, letters, 0, end - start)
  }

  cached(text: string, start: number, end: number): Word | undefined {
    const kept = this.words.get(hashText(text, start, end) ^ this.seed)
    return kept?.run === this.name && isPart(kept.key, text, start, end) ? kept : undefined
  }

  /** Shapes a part of a stretch anew, never cut from the whole, because kerning and ligatures across a line break must go. */
  part(stretch: string, start: number, end: number): Word {
    const before = joiningOnly(stretch.slice(0, start).match(/.$/u))
    const after = joiningOnly(stretch.slice(end).match(/^./u))
    const slice = stretch.slice(start, end)
    const key = before === '' && after === '' ? slice : `${slice}\n${before}\n${after}`
    const from = before.length
    return (
      this.cached(key, 0, key.length) ?? this.shape(key, before + slice + after, from, from + slice.length)
    )
  }

  private shape(key: string, text: string, start: number, end: number): Word {
    const { fonts } = this
    const { source, variation, trackingUnits, direction, lang } = this.run
    const font = fonts.font(source, variation)
    const plain = !isBrandFont(source) && source.packageName === codeFace
    const shaped = font.shape({ text, start, end, direction, lang, separate: trackingUnits !== 0, plain })
    // The trial of a brand's font says that there are no more, but it cannot try every text.
    const glyphs = isBrandFont(source) ? shaped.slice(0, glyphsMax(end - start)) : shaped
    const { advance, path, stops } = assemble(glyphs, start, end - start, trackingUnits, (glyph) =>
      fonts.glyph(font, glyph),
    )
    const word = { advance, path, stops, key: detached(key), run: this.name }
    this.words.set(hashText(key) ^ this.seed, word)
    return word
  }
}

function textOf(unit: number): string {
  return unit === 0 ? '' : String.fromCharCode(unit)
}

function isPart(part: string, text: string, start: number, end: number): boolean {
  if (part.length !== end - start) return false
  for (let at = 0; at < part.length; at++)
    if (part.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  return true
}

/** A letter beside a slice, where its script joins letters so that it changes the slice's shape. */
function joiningOnly(found: RegExpMatchArray | null): string {
  const letter = found?.[0] ?? ''
  return joining.test(letter) ? letter : ''
}

function assemble(
  glyphs: readonly ShapedGlyph[],
  offset: number,
  length: number,
  trackingUnits: number,
  outline: (glyph: number) => PathData | undefined,
): Word {
  const drawn = withoutLostMarks(glyphs)
  const joiner = new OutlineJoiner()
  const stops = new Array<number>(length).fill(0)
  let pen = 0
  for (let index = 0; index < drawn.length; index++) {
    const glyph = drawn[index]
    if (glyph === undefined) break
    const path = glyph.id === 0 ? missingBox : outline(glyph.id)
    if (path !== undefined) joiner.add(path, pen + glyph.xOffset, -glyph.yOffset)
    const closesCluster = drawn[index + 1]?.cluster !== glyph.cluster
    const advance = (glyph.id === 0 ? missingAdvance : glyph.xAdvance) + (closesCluster ? trackingUnits : 0)
    const at = glyph.cluster - offset
    stops[at] = (stops[at] ?? 0) + advance
    pen += advance
  }
  for (let at = 1; at < length; at++) stops[at] = (stops[at] ?? 0) + (stops[at - 1] ?? 0)
  return { advance: pen, path: joiner.finish(), stops }
}

/** A mark that the font of its base lacks is left out: the base still reads. */
function withoutLostMarks(glyphs: readonly ShapedGlyph[]): readonly ShapedGlyph[] {
  if (glyphs.every(({ id }) => id !== 0)) return glyphs
  const found = new Set(glyphs.filter(({ id }) => id !== 0).map(({ cluster }) => cluster))
  return glyphs.filter(({ id, cluster }) => id !== 0 || !found.has(cluster))
}

export interface Variation {
  readonly weight: number
  /** The size in points that the shapes are drawn for: the larger, the finer. */
  readonly opticalSize: number
}

export type FontStore = ReturnType<typeof createFontStore>

interface LoadedFace {
  readonly face: HarfBuzzFace
  readonly instances: Map<number, HarfBuzzFont>
}

/** Memory of a face per byte of its file: HarfBuzz builds tables for shaping and variations. */
const memoryFactor = 1.3

/** Fonts in HarfBuzz's memory and the outlines of their glyphs, both bounded by bytes. */
export function createFontStore(
  harfbuzz: HarfBuzz,
  bytesMax: { fonts: number; brandFonts: number; glyphs: number },
) {
  const own = createFaces(bytesMax.fonts)
  /** Brand fonts have a cache of their own so that they cannot evict the built-in fonts. */
  const brands = createFaces(bytesMax.brandFonts)
  const glyphs = new LRUCache<number, { path: PathData | undefined }>({
    maxSize: bytesMax.glyphs,
    sizeCalculation: ({ path }) => (path?.body.length ?? 0) + 450,
  })
  const instanceIds = new WeakMap<HarfBuzzFont, number>()
  let instanceCount = 0
  let loadCount = 0

  function cachedFace(source: FontSource): LoadedFace | undefined {
    return isBrandFont(source) ? brands.get(source.key) : own.get(source)
  }

  function open(source: FontSource, bytes: Uint8Array): LoadedFace {
    loadCount++
    const opened = { face: harfbuzz.createFace(bytes), instances: new Map() }
    if (isBrandFont(source)) brands.set(source.key, opened)
    else own.set(source, opened)
    return opened
  }

  function loaded(source: FontSource): LoadedFace {
    const cached = cachedFace(source)
    if (cached !== undefined) return cached
    if (isBrandFont(source)) throw new Error('Fonts of brands are added before a text is laid out.')
    return open(source, unpackFont(readFontFileSync(source)))
  }

  return {
    /** Asking keeps a font from being dropped soon. */
    has: (source: FontSource): boolean => cachedFace(source) !== undefined,
    load: (source: FontSource): void => void loaded(source),
    /** Adds a font that is unpacked already, where it is not there. */
    add(source: FontSource, bytes: Uint8Array): void {
      if (cachedFace(source) === undefined) open(source, bytes)
    },
    font(source: FontSource, { weight, opticalSize }: Variation): HarfBuzzFont {
      const { face, instances } = loaded(source)
      const key = weight * 1000 + opticalSize
      const cached = instances.get(key)
      if (cached !== undefined) return cached
      const font = face.font({ wght: weight, opsz: opticalSize })
      instances.set(key, font)
      instanceIds.set(font, instanceCount++)
      return font
    },
    glyph(font: HarfBuzzFont, glyph: number): PathData | undefined {
      const key = (instanceIds.get(font) ?? 0) * 65536 + glyph
      const cached = glyphs.get(key)
      if (cached !== undefined) return cached.path
      const path = glyphOutline(font, glyph)
      glyphs.set(key, { path })
      return path
    },
    bytes: (): number => own.calculatedSize + brands.calculatedSize + glyphs.calculatedSize,
    loads: (): number => loadCount,
  }
}

function createFaces(bytesMax: number) {
  return new LRUCache<FontFile | string, LoadedFace>({
    maxSize: bytesMax,
    sizeCalculation: ({ face }) => Math.ceil(face.bytes * memoryFactor),
    dispose: ({ face }) => face.free(),
  })
}
