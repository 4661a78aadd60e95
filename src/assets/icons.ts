import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { packageFile } from '../lib/package-files.ts'

/** A brand's outline in a view box of 24 by 24. */
interface Icon extends Pick<IconEntry, 'slug' | 'brandColor'> {
  readonly d: string
}

const outlines = new LRUCache<string, string>({
  maxSize: 2 ** 20,
  sizeCalculation: (d) => d.length + 64,
  memoMethod: readOutline,
})

/**
 * The icon of this name in Simple Icons, or undefined. The name may be a slug, a title or another name of the mark:
 * `Node.js` is `nodedotjs`. Outlines are read on demand: the whole set is 5 MB, one icon about 1 kB.
 */
export function findIcon(name: string): Icon | undefined {
  const entry = iconsBySpelling().get(spellingOf(name))
  return entry && { slug: entry.slug, brandColor: entry.brandColor, d: outlines.memo(entry.slug) }
}

let bySpelling: ReadonlyMap<string, IconEntry> | undefined

/** Every slug and name as `spellingOf` writes it. */
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

/** Removes the differences between spellings of a name. */
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

/** An icon of Simple Icons, without its outline. */
interface IconEntry {
  readonly slug: string
  /** The brand's own colour, `#rrggbb`. */
  readonly brandColor: string
  /** The title, then the other names of the same mark. */
  readonly names: readonly string[]
}

let entries: readonly IconEntry[] | undefined

/** Every icon of Simple Icons. The list is read at the first call, which takes about 5 ms. */
export function listIcons(): readonly IconEntry[] {
  entries ??= readRows().map(({ slug, hex, title, aliases: { aka = [], dup = [] } = {} }) => ({
    slug,
    brandColor: `#${hex.toLowerCase()}`,
    names: [title, ...aka, ...dup.map((double) => double.title), ...(keptNames.get(slug) ?? [])].filter(
      (name) => !replacedMarks.has(name),
    ),
  }))
  return entries
}

/** A row of the list that Simple Icons publishes. Its `old` names are left out: those brands had other marks. */
interface Row {
  readonly title: string
  readonly slug: string
  readonly hex: string
  readonly aliases?: {
    /** Other names of the brand. */
    readonly aka?: readonly string[]
    /** Brands that use the same mark. */
    readonly dup?: readonly { readonly title: string }[]
  }
}

/** Names by which shields.io still finds icons that Simple Icons renamed without another mark. */
const keptNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['eclipseide', ['eclipse']],
  ['gitter', ['gitter-white']],
  ['scrutinizerci', ['scrutinizer']],
  ['travisci', ['travis']],
])

/** Names that Simple Icons lists beside the mark that replaced theirs: the bird is not the X. */
const replacedMarks: ReadonlySet<string> = new Set(['Twitter'])

function readRows(): readonly Row[] {
  return JSON.parse(readFileSync(packageFile('simple-icons', 'data/simple-icons.json'), 'utf8'))
}
