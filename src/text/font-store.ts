import { LRUCache } from 'lru-cache'
import type { PathData } from '../svg/write-path.ts'
import { type FontSource, isBrandFont } from './brand-fonts/brand-font.ts'
import type { FontFile } from './coverage/lookup.ts'
import { readFontFileSync } from './font-files.ts'
import { glyphOutline } from './glyph-outline.ts'
import type { HarfBuzz, HarfBuzzFace, HarfBuzzFont } from './harfbuzz.ts'
import { unpackFont } from './woff2.ts'

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
  const faces = createFaces<FontFile>(bytesMax.fonts)
  /** Brand fonts have a cache of their own so that they cannot evict the built-in fonts. */
  const brandFaces = createFaces<string>(bytesMax.brandFonts)
  const glyphs = new LRUCache<number, { path: PathData | undefined }>({
    maxSize: bytesMax.glyphs,
    sizeCalculation: ({ path }) => (path?.body.length ?? 0) + 450,
  })
  const instanceIds = new WeakMap<HarfBuzzFont, number>()
  let instanceCount = 0
  let loadCount = 0

  function opened(bytes: Uint8Array): LoadedFace {
    loadCount++
    return { face: harfbuzz.createFace(bytes), instances: new Map() }
  }

  function loaded(source: FontSource): LoadedFace {
    const cached = isBrandFont(source) ? brandFaces.get(source.key) : faces.get(source)
    if (cached !== undefined) return cached
    if (isBrandFont(source)) throw new Error('Fonts of brands are added before a text is laid out.')
    const face = opened(unpackFont(readFontFileSync(source)))
    faces.set(source, face)
    return face
  }

  return {
    /** Asking keeps a font from being dropped soon. */
    has: (source: FontSource): boolean =>
      (isBrandFont(source) ? brandFaces.get(source.key) : faces.get(source)) !== undefined,
    load: (source: FontSource): void => void loaded(source),
    /** Adds a font that is unpacked already, where it is not there. */
    add(source: FontSource, bytes: Uint8Array): void {
      if (isBrandFont(source)) {
        if (!brandFaces.has(source.key)) brandFaces.set(source.key, opened(bytes))
      } else if (!faces.has(source)) faces.set(source, opened(bytes))
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
    bytes: (): number => faces.calculatedSize + brandFaces.calculatedSize + glyphs.calculatedSize,
    loads: (): number => loadCount,
  }
}

function createFaces<Key extends {}>(bytesMax: number) {
  return new LRUCache<Key, LoadedFace>({
    maxSize: bytesMax,
    sizeCalculation: ({ face }) => Math.ceil(face.bytes * memoryFactor),
    dispose: ({ face }) => face.free(),
  })
}
