import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '../../lib/human-format.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { type KnownPage, presentFacts, type SiteCache } from './facts-cache.ts'
import { baseOfCname, baseOfSitemaps, createBaseVote, publicBase } from './find-base.ts'
import { readPageFacts } from './page-facts.ts'
import { baseOf } from './page-path.ts'
import { openPageText } from './page-text.ts'
import { originalPage } from './rewrite-page.ts'
import { findSiteFacts } from './site-facts.ts'

export interface FolderPage {
  readonly file: string
  readonly known: KnownPage
}

export interface PageFailure {
  readonly file: string
  readonly reason: string
}

interface ReadOptions {
  readonly folder: string
  readonly files: readonly string[]
  readonly cache: SiteCache
  readonly base: string | undefined
  readonly knownDefaults: readonly string[]
  /** True for a page of the site's content, by which its common facts are counted. */
  readonly counts: (page: FolderPage) => boolean
  readonly onRead: () => void
}

/** Larger files are no pages that people read. */
const pageBytesMax = 20_000_000

/** The base of pages as long as nothing says where they will be. */
const unknownBase = 'http://localhost/'

/** Reads all pages of a folder and what they have in common. Throws if nothing says where the site will be. */
export async function readPages(options: ReadOptions) {
  const { folder, files, cache, counts, onRead } = options
  const vote = { canonical: createBaseVote(), ogUrl: createBaseVote() }
  const elsewhere = options.base ?? baseOfSitemaps(folder, files) ?? baseOfCname(folder)
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
    return options.base ?? vote.canonical.winner() ?? vote.ogUrl.winner() ?? elsewhere ?? unknownBase
  }

  for (const file of files) {
    const page = await read(file, options.base)
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
  return { site: findSiteFacts(counted, base, options.knownDefaults), pages: settled, failures }
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

/** The hash of a page's tags; empty if there are none. */
export function tagsHash(tags: readonly string[]): string {
  return tags.length === 0 ? '' : hash('sha256', tags.join('\n'), 'base64url').slice(0, 22)
}
