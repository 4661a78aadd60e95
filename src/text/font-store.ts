import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { PathData } from '../svg/path-data.ts'
import type { FontFile } from './coverage/lookup.ts'
import { readFontFileBriefly } from './font-files.ts'
import { createGlyphPen } from './glyph-pen.ts'
import type { HarfBuzz, HarfBuzzFace, HarfBuzzFont } from './harfbuzz.ts'
import { unpackWoff2, woff2Ready } from './woff2.ts'

/** What variable fonts are set to; a font ignores an axis that it lacks. */
export interface Variation {
  readonly weight: number
  /** The size in points that the shapes are drawn for: the larger, the finer. */
  readonly opticalSize: number
}

/** Fonts in HarfBuzz's memory and the outlines of their glyphs, both bounded by bytes. */
export interface FontStore {
  has(file: FontFile): boolean
  /** Reads and unpacks a file unless it is there or on its way. */
  load(file: FontFile): Promise<void>
  /** An instance of a file. One that was thrown out since it was loaded is read again on the spot. */
  font(file: FontFile, variation: Variation): HarfBuzzFont
  glyph(font: HarfBuzzFont, glyph: number): PathData | undefined
  bytes(): number
}

interface LoadedFace {
  readonly face: HarfBuzzFace
  readonly instances: Map<number, HarfBuzzFont>
}

/** Beyond the file: tables that HarfBuzz builds for shaping and variations. */
const overhead = 1.3

export function createFontStore(harfbuzz: HarfBuzz, bytesMax: { fonts: number; glyphs: number }): FontStore {
  const faces = new LRUCache<FontFile, LoadedFace>({
    maxSize: bytesMax.fonts,
    sizeCalculation: ({ face }) => Math.ceil(face.bytes * overhead),
    dispose: ({ face }) => face.free(),
  })
  const glyphs = new LRUCache<number, { path: PathData | undefined }>({
    maxSize: bytesMax.glyphs,
    sizeCalculation: ({ path }) => (path?.body.length ?? 0) + 450,
  })
  const loading = new Map<FontFile, Promise<void>>()
  const instanceIds = new WeakMap<HarfBuzzFont, number>()
  let instances = 0
  let lastRead: Promise<void> = woff2Ready

  /** Rare characters need dozens of files, each of which takes ms: one a turn, so that others get theirs between them. */
  function read(file: FontFile): Promise<void> {
    const reading = lastRead.then(async () => {
      await setImmediate()
      if (!faces.has(file)) keep(file)
    })
    lastRead = reading.catch(() => undefined)
    return reading
  }

  function keep(file: FontFile): LoadedFace {
    const data = unpackWoff2(readFontFileBriefly(file))
    const loaded = { face: harfbuzz.createFace(data), instances: new Map() }
    faces.set(file, loaded)
    return loaded
  }

  return {
    has: (file) => faces.get(file) !== undefined,
    load(file) {
      if (faces.has(file)) return Promise.resolve()
      const started = loading.get(file) ?? read(file).finally(() => loading.delete(file))
      loading.set(file, started)
      return started
    },
    font(file, { weight, opticalSize }) {
      const loaded = faces.get(file) ?? keep(file)
      const key = weight * 1000 + opticalSize
      const known = loaded.instances.get(key)
      if (known !== undefined) return known
      const font = loaded.face.font({ wght: weight, opsz: opticalSize })
      loaded.instances.set(key, font)
      instanceIds.set(font, instances++)
      return font
    },
    glyph(font, glyph) {
      const key = (instanceIds.get(font) ?? 0) * 65536 + glyph
      const known = glyphs.get(key)
      if (known !== undefined) return known.path
      const pen = createGlyphPen()
      font.draw(glyph, pen)
      const path = pen.finish()
      glyphs.set(key, { path })
      return path
    },
    bytes: () => faces.calculatedSize + glyphs.calculatedSize,
  }
}
