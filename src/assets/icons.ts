import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { packageFile } from '../lib/package-files.ts'
import { type IconEntry, listIcons } from './list-icons.ts'

const outlines = new LRUCache<string, string>({
  maxSize: 2 ** 20,
  sizeCalculation: (d) => d.length + 64,
  memoMethod: readOutline,
})

/** The icon of this slug, title or other name: `Node.js` is `nodedotjs`. Outlines are read on demand, because the whole set is 5 MB. */
export function findIcon(name: string) {
  const entry = iconsBySpelling().get(spellingOf(name))
  return entry && { slug: entry.slug, brandColor: entry.brandColor, d: outlines.memo(entry.slug) }
}

let bySpelling: ReadonlyMap<string, IconEntry> | undefined

export function iconsBySpelling(): ReadonlyMap<string, IconEntry> {
  bySpelling ??= indexIcons()
  return bySpelling
}

/** A slug wins over every name, and of equal names the first. */
function indexIcons(): ReadonlyMap<string, IconEntry> {
  const bySlug = listIcons().map((entry) => [entry.slug, entry] as const)
  const byName = listIcons().flatMap((entry) => entry.names.map((name) => [spellingOf(name), entry] as const))
  // A map keeps the last entry of equal keys.
  const index = new Map([...byName.reverse(), ...bySlug])
  index.delete('')
  return index
}

export function spellingOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll('.', 'dot')
    .replaceAll('&', 'and')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
}

/** `slug` is one of the list, so it leads nowhere else. */
function readOutline(slug: string): string {
  const svg = readFileSync(packageFile('simple-icons', `icons/${slug}.svg`), 'utf8')
  return /<path d="([^"]+)"\/>/.exec(svg)?.[1] ?? ''
}
