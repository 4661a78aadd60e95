import { setImmediate } from 'node:timers/promises'
import { fontBytes } from './brand-fonts/font-bytes.ts'
import type { FontFile } from './coverage/lookup.ts'
import { type FontSource, isBrandFont } from './font-source.ts'
import { woff2Ready } from './woff2.ts'

interface FontPlaces {
  isLoaded(source: FontSource): boolean
  loadFile(file: FontFile): unknown
  loadBrandFont(key: string, bytes: Uint8Array): unknown
}

type BytesByKey = ReadonlyMap<string, Uint8Array>

/** Returns what loads the missing fonts of a card: one card after the other. */
export function createFontLoads({ isLoaded, loadFile, loadBrandFont }: FontPlaces) {
  let lastLoad: Promise<void> = woff2Ready

  /**
   * Loads one file per turn of the event loop, so that other requests run between them. Fonts of brands come last and
   * together: what a card needs is there when its turn ends. Returns false, and has loaded nothing, where bytes of one are
   * missing.
   */
  async function loadAll(sources: readonly FontSource[], read: BytesByKey): Promise<boolean> {
    await setImmediate()
    const missing = sources.filter((source) => !isLoaded(source))
    const ofBrands = missing.filter(isBrandFont)
    if (!ofBrands.every(({ key }) => read.has(key))) return false
    for (const source of missing) {
      if (isBrandFont(source)) continue
      loadFile(source)
      await setImmediate()
    }
    for (const { key } of ofBrands) {
      const bytes = read.get(key)
      if (bytes !== undefined) loadBrandFont(key, bytes)
    }
    return true
  }

  function inTurn<T>(load: () => Promise<T>): Promise<T> {
    const loading = lastLoad.then(load)
    lastLoad = loading.then(ignore, ignore)
    return loading
  }

  return async (sources: readonly FontSource[]): Promise<void> => {
    // A font may be dropped for those of another card while this one waits for its turn.
    for (let areLoaded = false; !areLoaded; ) {
      const read = await readBytes(sources.filter((source) => !isLoaded(source)))
      areLoaded = await inTurn(() => loadAll(sources, read))
    }
  }
}

/** The bytes of brands' fonts among these. */
async function readBytes(sources: readonly FontSource[]): Promise<BytesByKey> {
  const read = sources.filter(isBrandFont).map(async (font) => [font.key, await fontBytes(font)] as const)
  return new Map(await Promise.all(read))
}

function ignore(): void {}
