import { LRUCache } from 'lru-cache'
import type { PathData } from '../svg/path-data.ts'
import type { FontFile } from './coverage/lookup.ts'
import { readFontFileBriefly } from './font-files.ts'
import { createFontLoads } from './font-loads.ts'
import { type FontSource, isBrandFont } from './font-source.ts'
import { glyphOutline } from './glyph-outline.ts'
import type { HarfBuzz, HarfBuzzFace, HarfBuzzFont } from './harfbuzz.ts'
import { unpackFont } from './woff2.ts'

/** What variable fonts are set to; a font ignores an axis that it lacks. */
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
  /** By their keys. Apart, so that brands do not throw out what every card needs. */
  const brandFaces = createFaces<string>(bytesMax.brandFonts)
  const glyphs = new LRUCache<number, { path: PathData | undefined }>({
    maxSize: bytesMax.glyphs,
    sizeCalculation: ({ path }) => (path?.body.length ?? 0) + 450,
  })
  const instanceIds = new WeakMap<HarfBuzzFont, number>()
  let instanceCount = 0

  function kept(source: FontSource): LoadedFace | undefined {
    return isBrandFont(source) ? brandFaces.get(source.key) : faces.get(source)
  }

  function loadDropped(source: FontSource): LoadedFace {
    if (!isBrandFont(source)) return loadFile(source)
    if ('bytes' in source) return loadBrandFont(source.key, source.bytes)
    throw new Error("A brand's font is prepared in the turn of the event loop in which it is drawn with.")
  }

  function loadBrandFont(key: string, bytes: Uint8Array): LoadedFace {
    const loaded = { face: harfbuzz.createFace(bytes), instances: new Map() }
    brandFaces.set(key, loaded)
    return loaded
  }

  function loadFile(file: FontFile): LoadedFace {
    const loaded = { face: harfbuzz.createFace(unpackFont(readFontFileBriefly(file))), instances: new Map() }
    faces.set(file, loaded)
    return loaded
  }

  const loadMissing = createFontLoads({
    isLoaded: (source) => kept(source) !== undefined,
    loadFile,
    loadBrandFont,
  })

  return {
    /**
     * Loads the fonts of a card; undefined when all are loaded. Then they are until the event loop turns. Rare characters
     * need dozens of files, each of which takes ms to read and unpack.
     */
    prepare(sources: ReadonlySet<FontSource>): Promise<void> | undefined {
      let areLoaded = true
      // Looks at each, because a look keeps it from being dropped.
      for (const source of sources) if (kept(source) === undefined) areLoaded = false
      return areLoaded ? undefined : loadMissing([...sources])
    },
    /** An instance of a font. One that was dropped since `prepare` is read again synchronously. */
    font(source: FontSource, { weight, opticalSize }: Variation): HarfBuzzFont {
      const loaded = kept(source) ?? loadDropped(source)
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

function createFaces<Key extends {}>(bytesMax: number) {
  return new LRUCache<Key, LoadedFace>({
    maxSize: bytesMax,
    sizeCalculation: ({ face }) => Math.ceil(face.bytes * memoryFactor),
    dispose: ({ face }) => face.free(),
  })
}
