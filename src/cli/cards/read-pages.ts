import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatBytes } from '../../lib/human-format.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { version } from '../../lib/version.ts'
import { textIfReadable } from '../read-text.ts'
import type { CardsRun } from './cards-run.ts'
import { type PageFacts, readPageFacts, withoutPicture } from './page-facts.ts'
import { openPageText, originalPage } from './page-markup.ts'
import { baseOf, baseOfCname, baseOfSitemaps, createBaseVote, publicBase } from './page-path.ts'
import type { CardPicture } from './pictures.ts'
import { findSiteFacts } from './site-facts.ts'
import { writeWhole } from './site-folder.ts'

export interface FolderPage {
  readonly file: string
  readonly known: KnownPage
}

export interface PageFailure {
  readonly file: string
  readonly reason: string
}

const pageBytesMax = 20_000_000

const unknownBase = 'http://localhost/'

export async function readPages(
  { folder, base: givenBase }: CardsRun,
  files: readonly string[],
  cache: SiteCache,
  /** True for a page of the site's content, by which its common facts are counted. */
  counts: (page: FolderPage) => boolean,
  knownDefaults: readonly string[],
  onRead: () => void,
) {
  const vote = { canonical: createBaseVote(), ogUrl: createBaseVote() }
  const elsewhere = givenBase ?? baseOfSitemaps(folder, files) ?? baseOfCname(folder)
  const pages: FolderPage[] = []
  const failures: PageFailure[] = []

  async function read(file: string, wantedBase: string | undefined): Promise<FolderPage | undefined> {
    try {
      return { file, known: await readPage(join(folder, file), file, cache, wantedBase, guess()) }
    } catch (error) {
      failures.push({ file, reason: reasonOf(error) })
      return undefined
    }
  }
  function guess(): string {
    return givenBase ?? vote.canonical.winner() ?? vote.ogUrl.winner() ?? elsewhere ?? unknownBase
  }

  for (const file of files) {
    const page = await read(file, givenBase)
    onRead()
    if (page === undefined) continue
    const { canonical = '', ogUrl = '' } = page.known.facts
    vote.canonical.add(publicBase(baseOf(canonical, file)))
    vote.ogUrl.add(publicBase(baseOf(ogUrl, file)))
    pages.push(page)
  }
  const base = guess()
  if (base === unknownBase && pages.some(counts))
    throw new Error(
      `${folder}: nothing says where the site will be: no canonical link, og:url, sitemap or CNAME with a public host. Give --base https://example.com/`,
    )
  const settled: FolderPage[] = []
  for (const page of pages) {
    const right = page.known.facts.base === base ? page : await read(page.file, base)
    if (right !== undefined) settled.push(right)
  }
  const counted = settled.filter(counts).map(({ file, known }) => ({ file, facts: presentFacts(known) }))
  return { site: findSiteFacts(counted, base, knownDefaults), pages: settled, failures }
}

async function readPage(
  path: string,
  file: string,
  cache: SiteCache,
  wantedBase: string | undefined,
  likelyBase: string,
): Promise<KnownPage> {
  const { size } = statSync(path)
  if (size > pageBytesMax)
    throw new Error(`it has ${formatBytes(size)}, and a page at most ${formatBytes(pageBytesMax)}`)
  const bytes = readFileSync(path)
  const page = hash('sha256', bytes, 'base64url')
  const known = cache.find(page)
  if (known !== undefined && (wantedBase ?? known.facts.base) === known.facts.base) return known
  const original = originalPage(openPageText(bytes))
  const { head, tags } = original
  const base = wantedBase ?? baseOf(head.canonical ?? '', file) ?? likelyBase
  return {
    page,
    original:
      tags.length === 0 ? page : hash('sha256', original.page.bytesOf(original.page.text), 'base64url'),
    facts: await readPageFacts(original, file, base),
    isReplaced: false,
    tags: tagsHash(tags),
  }
}

export function tagsHash(tags: readonly string[]): string {
  return tags.length === 0 ? '' : hash('sha256', tags.join('\n'), 'base64url').slice(0, 22)
}

/** A page as an earlier run knew it: hashes of its bytes, now and without our tags, and of our tags, empty if there are none. */
export interface KnownPage {
  readonly page: string
  readonly original: string
  readonly facts: PageFacts
  readonly isReplaced: boolean
  readonly tags: string
}

type SiteCache = ReturnType<typeof readSiteCache>

/** Raised when facts are read in another way. */
const factsRevision = 5
const head = `mintmark ${version} ${factsRevision}`

export function siteCachePath(cache: string, folder: string): string {
  return join(cache, 'sites', `${hash('sha256', realpathSync(folder), 'hex').slice(0, 32)}.jsonl`)
}

export function presentFacts({ facts, isReplaced }: KnownPage): PageFacts {
  return isReplaced ? withoutPicture(facts) : facts
}

/** Reads what an earlier run of this version knew of a site, so that pages with the same bytes are not read again. */
export function readSiteCache(path: string) {
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
  return {
    /** The page whose bytes have this hash, as they are or as its generator made them. */
    find: (bytesHash: string) => pages.get(bytesHash),
    pictures,
  }
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
