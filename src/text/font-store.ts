import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { PathData } from '../svg/path-data.ts'
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

export type FontStore = ReturnType<typeof createFontStore>

interface LoadedFace {
  readonly face: HarfBuzzFace
  readonly instances: Map<number, HarfBuzzFont>
}

/** Memory of a face per byte of its file: HarfBuzz builds tables for shaping and variations. */
const memoryFactor = 1.3

/** Fonts in HarfBuzz's memory and the outlines of their glyphs, both bounded by bytes. */
export function createFontStore(harfbuzz: HarfBuzz, bytesMax: { fonts: number; glyphs: number }) {
  const faces = new LRUCache<FontFile, LoadedFace>({
    maxSize: bytesMax.fonts,
    sizeCalculation: ({ face }) => Math.ceil(face.bytes * memoryFactor),
    dispose: ({ face }) => face.free(),
  })
  const glyphs = new LRUCache<number, { path: PathData | undefined }>({
    maxSize: bytesMax.glyphs,
    sizeCalculation: ({ path }) => (path?.body.length ?? 0) + 450,
  })
  const instanceIds = new WeakMap<HarfBuzzFont, number>()
  let instanceCount = 0
  let lastRead: Promise<void> = woff2Ready

  function loadNow(file: FontFile): LoadedFace {
    const data = unpackFont(readFontFileBriefly(file))
    const loaded = { face: harfbuzz.createFace(data), instances: new Map() }
    faces.set(file, loaded)
    return loaded
  }

  return {
    has: (file: FontFile): boolean => faces.get(file) !== undefined,
    /**
     * Reads and unpacks a file unless it is loaded. Rare characters need dozens of files, each of which takes ms: one per
     * turn of the event loop, so that other requests run between them.
     */
    load(file: FontFile): Promise<void> {
      const reading = lastRead.then(async () => {
        await setImmediate()
        if (!faces.has(file)) loadNow(file)
      })
      lastRead = reading.catch(() => undefined)
      return reading
    },
    /** An instance of a file. A file that was evicted since `load` is read again synchronously. */
    font(file: FontFile, { weight, opticalSize }: Variation): HarfBuzzFont {
      const loaded = faces.get(file) ?? loadNow(file)
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
      const outline = glyphs.get(key) ?? { path: glyphOutline(font, glyph) }
      glyphs.set(key, outline)
      return outline.path
    },
    bytes: (): number => faces.calculatedSize + glyphs.calculatedSize,
  }
}
