import { readFileSync } from 'node:fs'
import { packageFile } from '../lib/package-files.ts'

/** An icon of Simple Icons, without its outline. */
export interface IconEntry {
  readonly slug: string
  readonly brandColor: string
  /** The title, then the other names of the same mark. */
  readonly names: readonly string[]
}

let entries: readonly IconEntry[] | undefined

/** Every icon of Simple Icons. The client has the list instead of this file. It is read at the first call, which takes about 5 ms. */
export function listIcons(): readonly IconEntry[] {
  entries ??= readRows().map(({ slug, hex, title, aliases: { aka = [], dup = [] } = {} }) => ({
    slug,
    brandColor: `#${hex.toLowerCase()}`,
    names: [title, ...aka, ...dup.map((double) => double.title), ...(keptNames.get(slug) ?? [])].filter(
      // Simple Icons lists it beside the mark that replaced the bird.
      (name) => name !== 'Twitter',
    ),
  }))
  return entries
}

/** A row of the list that Simple Icons publishes. Its `old` names are left out: those brands had other marks. */
type Row = Readonly<Record<'title' | 'slug' | 'hex', string>> & { readonly aliases?: Aliases }
/** `dup`: brands that use the same mark. */
type Aliases = { readonly aka?: readonly string[]; readonly dup?: readonly { readonly title: string }[] }

function readRows(): readonly Row[] {
  return JSON.parse(readFileSync(packageFile('simple-icons', 'data/simple-icons.json'), 'utf8'))
}

/** Names by which shields.io still finds icons that Simple Icons renamed without another mark. */
const keptNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['eclipseide', ['eclipse']],
  ['gitter', ['gitter-white']],
  ['scrutinizerci', ['scrutinizer']],
  ['travisci', ['travis']],
])
