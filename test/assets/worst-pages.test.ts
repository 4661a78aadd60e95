import { expect, test } from 'bun:test'
import { createPageParser } from '../../src/assets/preview/page-parser.ts'
import { ListedEntries } from '../../src/assets/sitemap/collect-sitemaps.ts'
import { SitemapReader } from '../../src/assets/sitemap/read-sitemap.ts'
import { allowAll, parseRobots } from '../../src/assets/sitemap/robots.ts'
import { createCharsetDecoder } from '../../src/web/charset.ts'
import { charactersLookedAt } from '../support/count-characters.ts'
import { sampleOf } from '../support/test-size.ts'
import { worstPages, worstSitemaps } from '../support/worst-pages.ts'

const origin = 'https://site.example.com'
const pieceChars = 16_384

/** How each reader of pages reads a text that arrives in pieces. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  async preview(text) {
    const parser = createPageParser({
      url: `${origin}/`,
      headers: {},
      contentType: 'text/html',
      readsOutline: true,
    })
    for (const piece of piecesOf(text)) if (!(await parser.write(Buffer.from(piece)))) break
    await parser.finish()
  },
  charset(text) {
    const decoder = createCharsetDecoder({ contentType: 'text/html', tld: 'com' })
    for (const piece of piecesOf(text)) decoder.push(Buffer.from(piece))
    decoder.end()
  },
  robots: (text) => parseRobots(text.slice(0, 524_288), 'MintmarkBot'),
}

function piecesOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / pieceChars)
  return Array.from({ length: count }, (_, at) => text.slice(at * pieceChars, (at + 1) * pieceChars))
}

const samples = sampleOf(worstPages, 40).map(({ id, text }) => [id, text] as const)

test.each(samples)('every reader looks a few times at each character of a page of %s', async (_, text) => {
  const page = text().slice(0, 2_097_152)
  for (const [reader, read] of Object.entries(readers)) {
    const characters = await charactersLookedAt(() => read(page))
    expect({ reader, isBounded: characters < 12 * page.length + 300_000, characters }).toMatchObject({
      isBounded: true,
    })
  }
})

async function readSite(text: string, piece: number) {
  const listed = new ListedEntries({ origin, robots: allowAll, urlsMax: 5_000, nowMs: 0 })
  const reader = new SitemapReader(listed)
  listed.beginFile(`${origin}/sitemap.xml`)
  let at = 0
  for (; at < text.length && !reader.isDone(); at += piece)
    for (const _ of reader.read(text.slice(at, at + piece)));
  for (const _ of reader.end());
  return {
    entries: listed.entriesAt(origin, allowAll),
    warnings: listed.warnings(),
    isWhole: at >= text.length,
  }
}

test.each(sampleOf(worstSitemaps, 40).map(({ id, text }) => [id, text] as const))(
  'a sitemap of %s takes bounded work, and what is not read is said',
  async (_, text) => {
    const file = text().slice(0, 52_428_800)
    let site: Awaited<ReturnType<typeof readSite>> | undefined
    const characters = await charactersLookedAt(async () => {
      site = await readSite(file, pieceChars)
    })
    expect(characters).toBeLessThan(charactersMax)
    const isSaid = site?.warnings.some((warning) => /^(?:sitemap|url)_limit: /.test(warning))
    expect(isSaid === true || site?.isWhole === true).toBeTrue()
  },
)

/** The budget of a site's sitemaps is worth about as many. */
const charactersMax = 120_000_000

test.each(sampleOf(['ends', 'languages', 'pictures', 'lines'], 4))(
  'a sitemap of %s that is too much is cut at the same entry however it arrives',
  async (id) => {
    const file = worstSitemaps.find((sitemap) => sitemap.id === id)?.text() ?? ''
    const whole = await readSite(file, 16_384)
    expect(whole.entries.length + whole.warnings.length).toBeGreaterThan(1)
    for (const piece of [5_000, 100_001]) {
      const { entries, warnings } = await readSite(file, piece)
      expect({ entries, warnings }).toEqual({ entries: whole.entries, warnings: whole.warnings })
    }
  },
)
