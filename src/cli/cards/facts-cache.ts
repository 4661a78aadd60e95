import { hash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { version } from '../../lib/version.ts'
import { textIfReadable } from '../read-text.ts'
import { type PageFacts, withoutPicture } from './page-facts.ts'
import type { CardPicture } from './pictures.ts'
import { writeWhole } from './write-file.ts'

/** A page as an earlier run knew it, by the hash of its bytes. */
export interface KnownPage {
  readonly page: string
  /** Hash of the page as its generator made it. */
  readonly original: string
  readonly facts: PageFacts
  /** True if a card has taken the place of the page's own picture. */
  readonly isReplaced: boolean
  /** Hash of the tags of ours that are in it; empty if there are none. */
  readonly tags: string
}

export interface SiteCache {
  /** The page whose bytes have this hash, as they are or as its generator made them. */
  find(bytesHash: string): KnownPage | undefined
  readonly pictures: ReadonlyMap<string, CardPicture>
}

/** Raised when facts are read in another way. */
const factsRevision = 2
const head = `mintmark ${version} ${factsRevision}`

export function siteCachePath(cache: string, folder: string): string {
  return join(cache, 'sites', `${hash('sha256', realpathSync(folder), 'hex').slice(0, 32)}.jsonl`)
}

export function presentFacts({ facts, isReplaced }: KnownPage): PageFacts {
  return isReplaced ? withoutPicture(facts) : facts
}

/** Reads what an earlier run of this version knew of a site, so that pages with the same bytes are not read again. */
export function readSiteCache(path: string): SiteCache {
  const pages = new Map<string, KnownPage>()
  const pictures = new Map<string, CardPicture>()
  const [first, ...lines] = textIfReadable(path).split('\n')
  for (const line of first === head ? lines : []) {
    const value = parseJson(line)
    if (!isJsonObject(value)) continue
    // The program wrote them itself, under this version.
    if (typeof value['tag'] === 'string') pictures.set(value['tag'], value as unknown as CardPicture)
    else {
      const known = value as unknown as KnownPage
      const { page, original } = known
      if (page !== original) pages.set(original, { ...known, page: original, isReplaced: false, tags: '' })
      pages.set(page, known)
    }
  }
  return { find: (bytesHash) => pages.get(bytesHash), pictures }
}

export async function writeSiteCache(
  path: string,
  pages: readonly KnownPage[],
  pictures: ReadonlyMap<string, CardPicture>,
): Promise<void> {
  const lines = [
    head,
    ...pages.map((page) => JSON.stringify(page)),
    ...[...pictures].map(([tag, { name, bytes }]) => JSON.stringify({ tag, name, bytes })),
  ]
  const text = `${lines.join('\n')}\n`
  if (text === textIfReadable(path)) return
  mkdirSync(dirname(path), { recursive: true })
  await writeWhole(path, text)
}
