import assert from 'node:assert/strict'
import { MetadataCollector } from '../../../src/assets/preview/metadata-collector.ts'
import { createPageParser, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'
import fileNamesTable from './file-names.json' with { type: 'json' }
import cases from './rules-checks.json' with { type: 'json' }
import titlePieces from './title-pieces.json' with { type: 'json' }

function preview(html: string, contentType = 'text/html; charset=utf-8', extra: Record<string, string> = {}) {
  return parsePreview(Buffer.from(html), {
    url: 'https://site.example.com/a/page.html',
    headers: { 'content-type': contentType, 'x-robots-tag': 'none', ...extra },
  })
}

function random(seed: number) {
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}

function randomPage(seed: number) {
  const next = random(seed)
  return Array.from(
    { length: 1 + Math.floor(next() * 80) },
    () => titlePieces[Math.floor(next() * titlePieces.length)],
  ).join('')
}

function urlsIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return urlKeys.has(key) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => urlsIn(inner, Array.isArray(value) ? key : name))
}

const urlKeys = new Set(['url', 'secure_url', 'canonical', 'player', 'logo', 'manifest', 'refresh'])

function factsOf(pieces: readonly string[]) {
  const collector = new MetadataCollector()
  for (const piece of pieces) collector.write(piece)
  collector.end()
  return collector.metadata
}

/** A Link header, and the canonical URL that it gives. */
const linkHeaders = cases.linkHeaders as [header: string, canonical: string | null][]

/** A Content-Disposition header of https://site.example.com/a/page.bin, and the name that the file gets. */
const fileNames = fileNamesTable as unknown as readonly (readonly [disposition: string, title: string])[]

export const checks: readonly Check[] = [
  ...linkHeaders.map(
    ([link, canonical]): Check => ({
      name: `the canonical URL of Link: ${link}`,
      async run() {
        const got = await preview('', 'text/html', { link })
        assert.equal(got.canonical, canonical && `https://site.example.com${canonical}`)
      },
    }),
  ),
  ...fileNames.map(
    ([disposition, title]): Check => ({
      name: `the name of a file that is sent with ${disposition}`,
      async run() {
        const got = await parsePreview(new Uint8Array(), {
          url: 'https://site.example.com/a/page.bin',
          headers: { 'content-type': 'application/zip', 'content-disposition': disposition },
        })
        assert.equal(got.title, title)
      },
    }),
  ),
  {
    name: 'something that is no page is named after its file',
    async run() {
      const image = await preview('', 'image/png', {
        'content-disposition': "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.png",
      })
      assert.equal(image.title, 'résumé.png')
      assert.equal(image.type, 'image')
      assert.equal(image.image?.url, 'https://site.example.com/a/page.html')
      const pdf = await parsePreview(Buffer.from('%PDF'), {
        url: 'https://site.example.com/my%20file.pdf',
        headers: { 'content-type': 'application/pdf' },
      })
      assert.deepEqual([pdf.title, pdf.type, pdf.image], ['my file.pdf', 'file', null])
    },
  },
  {
    name: 'a title that came before the site went silent is worth an answer',
    async run() {
      const parser = createPageParser({
        url: 'https://site.example.com/',
        headers: {},
        contentType: 'text/html',
      })
      await parser.write(Buffer.from('<tit'))
      assert.equal(parser.isUseful(), false)
      await parser.write(Buffer.from('le>Größe</title><p>'))
      assert.equal(parser.isUseful(), true)
      assert.equal((await parser.finish()).fields.title, 'Größe')
    },
  },
  {
    name: 'a page says the same wherever it is cut into pieces',
    run() {
      const html =
        '<title>&CounterClockwiseContourIntegral; A&amp;B &notit</title><META name=description content="&#x1F389;&eacute">' +
        '<p class="byline">By &#65;da &amp Co</p><script type="application/ld+json">{"a":"&amp;"}</script><a href="/?a&amp;b">'
      const whole = factsOf([html])
      for (let cut = 1; cut < html.length; cut += 1)
        assert.deepEqual(factsOf([html.slice(0, cut), html.slice(cut)]), whole, html.slice(0, cut))
      assert.deepEqual(factsOf([...html]), whole)
    },
  },
  {
    name: 'two thousand random pages: every key is there and only web addresses leave',
    async run() {
      const keys = Object.keys(await preview('')).sort()
      for (let seed = 1; seed <= 2_000; seed += 1) {
        const html = randomPage(seed)
        const got = await preview(html)
        assert.deepEqual(Object.keys(got).sort(), keys, html)
        for (const url of urlsIn({ ...got, og: {}, twitter: {} })) assert.match(url, /^https?:\/\//, html)
        assert.ok(JSON.stringify(got).isWellFormed(), html)
      }
    },
  },
]
