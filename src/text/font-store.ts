import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { PathData } from '../svg/path-data.ts'
import type { BrandFont } from './brand-fonts/brand-font.ts'
import type { FontFile } from './coverage/lookup.ts'
import { readFontFileBriefly } from './font-files.ts'
import { glyphOutline } from './glyph-outline.ts'
import type { HarfBuzz, HarfBuzzFace, HarfBuzzFont } from './harfbuzz.ts'
import { unpackFont, woff2Ready } from './woff2.ts'

/** What variable fonts are set to; a font ignores an axis that it lacks. */
export interface Variation {
  readonly weight: number
  /** The size in points that the shapes are drawn for: the larger, the finer. */
  readonly opticalSize: number
}

/** Where the bytes of a font are: in a file of a package, or with a brand. */
export type FontSource = FontFile | BrandFont

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
  /** By their keys. Apart, so that brands do not throw out what every card needs. */
  const brandFaces = createFaces<string>(bytesMax.brandFonts)
  const glyphs = new LRUCache<number, { path: PathData | undefined }>({
    maxSize: bytesMax.glyphs,
    sizeCalculation: ({ path }) => (path?.body.length ?? 0) + 450,
  })
  const instanceIds = new WeakMap<HarfBuzzFont, number>()
  let instanceCount = 0
  let lastRead: Promise<void> = woff2Ready

  function kept(source: FontSource): LoadedFace | undefined {
    return isBrandFont(source) ? brandFaces.get(source.key) : faces.get(source)
  }

  function loadNow(source: FontSource): LoadedFace {
    const data = isBrandFont(source) ? source.bytes : unpackFont(readFontFileBriefly(source))
    const loaded = { face: harfbuzz.createFace(data), instances: new Map() }
    if (isBrandFont(source)) brandFaces.set(source.key, loaded)
    else faces.set(source, loaded)
    return loaded
  }

  return {
    has: (source: FontSource): boolean => kept(source) !== undefined,
    /**
     * Reads and unpacks a font unless it is loaded. Rare characters need dozens of files, each of which takes ms: one per
     * turn of the event loop, so that other requests run between them.
     */
    load(source: FontSource): Promise<void> {
      const reading = lastRead.then(async () => {
        await setImmediate()
        if (kept(source) === undefined) loadNow(source)
      })
      lastRead = reading.catch(() => undefined)
      return reading
    },
    /** An instance of a font. One that was evicted since `load` is read again synchronously. */
    font(source: FontSource, { weight, opticalSize }: Variation): HarfBuzzFont {
      const loaded = kept(source) ?? loadNow(source)
      const key = weight * 1000 + opticalSize
      const cached = loaded.instances.get(key)
      if (cached !== undefined) return cached
      const font = loaded.face.font({ wght: weight, opsz: opticalSize })
      loaded.instances.set(key, font)
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
  }
}

export function isBrandFont(source: FontSource): source is BrandFont {
  return 'bytes' in source
}

function createFaces<Key extends {}>(bytesMax: number) {
  return new LRUCache<Key, LoadedFace>({
    maxSize: bytesMax,
    sizeCalculation: ({ face }) => Math.ceil(face.bytes * memoryFactor),
    dispose: ({ face }) => face.free(),
  })
}
