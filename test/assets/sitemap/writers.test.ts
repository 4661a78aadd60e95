import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { writeZip } from '../../../src/assets/sitemap/produce.ts'
import { sitemapQuery } from '../../../src/assets/sitemap/query.ts'
import {
  answeringCrawlers,
  parseRobots,
  trainingCrawlers,
  writeRobots,
} from '../../../src/assets/sitemap/robots.ts'
import { type SitemapEntry, writeSitemap } from '../../../src/assets/sitemap/write-sitemap.ts'
import { decodeQuery } from '../../../src/http/query.ts'
import { readBy } from '../../support/strict-readers.ts'
import { hasXmllint, judge, readSitemap, writeLlms } from './look.ts'
import cases from './writers.json' with { type: 'json' }

const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sampleEntries: readonly SitemapEntry[] = [
  ...(cases.entries as readonly SitemapEntry[]),
  { loc: `https://example.com/${'x'.repeat(2_000)}`, lastmod: '2026-01-02T03:04:05+02:00' },
]

describe('sitemap.xml', () => {
  test.skipIf(!hasXmllint())('is valid for the protocol, whatever stands in a URL', async () => {
    expect(await judge(writeSitemap(sampleEntries))).toBe('')
    const many = Array.from({ length: 50_000 }, (_, index) => ({ loc: `https://example.com/page/${index}` }))
    expect(await judge(writeSitemap(many))).toBe('')
  })

  test.skipIf(!hasXmllint())('the judge does find faults', async () => {
    expect(await judge(writeSitemap([{ loc: 'https://example.com/', lastmod: 'yesterday' }]))).toContain(
      'lastmod',
    )
    expect(await judge(writeSitemap([]))).not.toBe('')
  })

  test('reads back what it wrote', async () => {
    const { entries } = await readSitemap(writeSitemap(sampleEntries), 100)
    expect(entries.map(({ loc }) => loc)).toEqual(
      sampleEntries.map(({ loc }) => loc.replaceAll('\u0000', '').replaceAll('\ufffe', '')),
    )
    expect(entries.map(({ lastmod }) => lastmod)).toEqual(sampleEntries.map(({ lastmod }) => lastmod))
    expect(entries.map(({ extensions }) => extensions)).toEqual(
      sampleEntries.map(({ extensions }) => extensions),
    )
  })

  test('an index, a prefix and a plain list are read, and a broken file as far as it goes', async () => {
    const index =
      '<sitemapindex><sitemap><loc> https://example.com/a.xml </loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>'
    expect(await readSitemap(index, 9)).toMatchObject({
      entries: [],
      children: ['https://example.com/a.xml'],
    })
    const prefixed =
      '<s:urlset xmlns:s="x"><s:url><s:loc><![CDATA[https://example.com/?a&b]]></s:loc></s:url>'
    expect((await readSitemap(prefixed, 9)).entries).toEqual([{ loc: 'https://example.com/?a&b' }])
    for (const [text, count] of [
      ['https://example.com/1\nnonsense\nhttps://example.com/2\n', 2],
      ['<urlset><url><loc>https://example.com/1</loc></url><url><loc>https://ex', 1],
      ['<url><loc>https://example.com/</loc></url>'.repeat(50), 9],
    ] as const)
      expect((await readSitemap(text, 9)).entries).toHaveLength(count)
    expect((await readSitemap('<a>'.repeat(100_000), 9)).entries).toEqual([])
  })
})

async function allowed(text: string, crawlers: readonly string[]) {
  const rules = await Promise.all(crawlers.map((name) => parseRobots(text, name)))
  return crawlers.filter((_, index) => rules[index]?.allows('/'))
}

describe('robots.txt', () => {
  const sitemapUrl = 'https://example.com/sitemap.xml'

  test('without a file of its own a site allows everything and names its sitemap', async () => {
    const expected = `User-agent: *\nAllow: /\n\nSitemap: ${sitemapUrl}\n`
    expect(await writeRobots({ sitemapUrl, ai: 'allow' })).toBe(expected)
  })

  test('an existing file is kept to the letter', async () => {
    const existing = '# mine\r\nUser-agent: *\r\nDisallow: /x'
    const written = await writeRobots({ sitemapUrl, ai: 'allow', existing })
    expect(written).toBe(`${existing}\n\nSitemap: ${sitemapUrl}\n`)
    expect(await writeRobots({ sitemapUrl, ai: 'allow', existing: written })).toBe(written)
  })

  test('crawlers of AI companies are refused as asked, and the others are not touched', async () => {
    for (const [ai, refused, untouched] of [
      ['deny', [...trainingCrawlers, ...answeringCrawlers], ['Googlebot']],
      ['train-deny', trainingCrawlers, ['Googlebot', ...answeringCrawlers]],
    ] as const) {
      const text = await writeRobots({ sitemapUrl, ai })
      expect(await allowed(text, refused)).toEqual([])
      expect(await allowed(text, untouched)).toEqual([...untouched])
    }
  })

  test('a group that the site left open is not joined to the crawlers that are refused', async () => {
    for (const existing of [
      'User-agent: *\nCrawl-delay: 10\n',
      'User-agent: *\n# anything goes\n\n',
      'User-agent: *\nAllow: /a\n\nUser-agent: FooBot',
      'User-agent: *\r\nDisallow: /x\r\nUser-agent: FooBot\r\nUser-agent: *\r\nSitemap: https://example.com/s.xml\r\n',
    ]) {
      for (const ai of ['deny', 'train-deny'] as const) {
        const text = await writeRobots({ sitemapUrl, ai, existing })
        expect(text).toStartWith(existing)
        const others = ['Googlebot', 'FooBot', '*']
        expect([existing, await allowed(text, others)]).toEqual([existing, others])
        expect(await allowed(text, trainingCrawlers)).toEqual([])
        expect(await writeRobots({ sitemapUrl, ai, existing: text })).toBe(text)
      }
    }
  })

  test('a group is also closed where only lenient readers see one', async () => {
    for (const line of ['useragent: *', 'User agent: *', 'user-agent *'])
      expect(await writeRobots({ sitemapUrl, ai: 'deny', existing: `${line}\n` })).toStartWith(
        `${line}\nDisallow:\n\nUser-agent: AI2Bot\n`,
      )
  })

  test('nothing is added to a group that has rules', async () => {
    const existing = 'User-agent: *\nDisallow:\nCrawl-delay: 10\n'
    const expected = `${existing}\nUser-agent: AI2Bot\n`
    expect(await writeRobots({ sitemapUrl, ai: 'deny', existing })).toStartWith(expected)
  })

  const signals = 'search:yes,ai-train:no'
  const signalLine = 'Content-Signal: search=yes, ai-train=no'

  test('Content Signals stand in the group of all crawlers, and change nothing that may be fetched', async () => {
    const expected = `User-agent: *\n${signalLine}\nAllow: /\n\nSitemap: ${sitemapUrl}\n`
    expect(await writeRobots({ sitemapUrl, ai: 'allow', signals })).toBe(expected)
    for (const existing of ['User-agent: *\nDisallow: /x\n', 'User-agent: *\n', '', 'Sitemap: /s.xml\n']) {
      const text = await writeRobots({ sitemapUrl, ai: 'deny', signals, existing })
      expect(text).toStartWith(existing)
      expect(text.match(/^Content-Signal: .*$/gm)).toEqual([signalLine])
      const others = ['Googlebot', '*']
      expect([existing, await allowed(text, others)]).toEqual([existing, others])
      expect(await allowed(text, trainingCrawlers)).toEqual([])
      expect(await writeRobots({ sitemapUrl, ai: 'deny', signals, existing: text })).toBe(text)
    }
  })

  test('Content Signals that a site has stay, and no others are written beside them', async () => {
    const existing = `User-agent: *\ncontent-signal : search=no\nAllow: /\n\nSitemap: ${sitemapUrl}\n`
    expect(await writeRobots({ sitemapUrl, ai: 'allow', signals, existing })).toBe(existing)
  })

  test.each(cases.signals as [string, string | null][])('signals=%p is read as %p', (given, expected) => {
    const decoded = decodeQuery(sitemapQuery, `domain=example.com&signals=${encodeURIComponent(given)}`)
    expect('errors' in decoded ? null : decoded.value.signals).toBe(expected)
    if ('errors' in decoded) expect(decoded.errors.map(({ parameter }) => parameter)).toEqual(['signals'])
  })

  test('what a site said of a crawler itself stands', async () => {
    const existing = 'User-agent: GPTBot\nAllow: /\n'
    const text = await writeRobots({ sitemapUrl, ai: 'deny', existing })
    expect(await allowed(text, ['GPTBot', 'CCBot'])).toEqual(['GPTBot'])
  })
})

function readLlms(text: string) {
  const [head = '', ...sections] = text.split(/^##\s*(.*?)$/m)
  const title = /^# (.+)$/m.exec(head)?.[1]
  const summary = /^> (.+)$/m.exec(head)?.[1]
  const links = sections
    .filter((_, index) => index % 2 === 1)
    .flatMap((body) => body.trim().split('\n'))
    .map(
      (line) => /^-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<note>.*))?$/.exec(line)?.groups ?? null,
    )
  return { title, summary, names: sections.filter((_, index) => index % 2 === 0), links }
}

describe('llms.txt', () => {
  const page = (path: string, title?: string, description?: string) => {
    return { url: `https://example.com${path}`, title, description }
  }

  test('has a title, a summary and a section for each first part of a path, legal pages last', () => {
    const text = writeLlms({
      summary: 'All about examples.',
      pages: [
        ...[page('/'), page('/privacy'), page('/blog/one', 'One', 'First.')],
        ...[page('/blog/two'), page('/docs/only')],
      ],
    })
    const { title, summary, names, links } = readLlms(text)
    expect([title, summary, names.join()]).toEqual(['Example', 'All about examples.', 'Pages,Blog,Optional'])
    expect(links.map((link) => link?.['title'])).toEqual(['Home', 'Only', 'One', 'Two', 'Privacy'])
  })

  test('texts of strangers stay texts', () => {
    const evil = '](https://evil.example) <script>\n# Heading\n- [x](y) `code` **bold**'
    const text = writeLlms({ name: evil, summary: evil, pages: [page('/a(b)c', evil, evil)] })
    const { links, names } = readLlms(text)
    expect(links).toHaveLength(1)
    expect(links[0]?.['url']).toBe('https://example.com/a%28b%29c')
    expect(names).toEqual(['Pages'])
    expect(text.match(/^#/gm)).toHaveLength(2)
    expect(text).not.toMatch(/[<`*]|\]\(https:\/\/evil/)
  })
})

describe('llms.txt of texts that are nothing but signs', () => {
  const text = writeLlms({
    name: '***',
    summary: '~~~',
    pages: ['/', '/docs/***', '/a/%2A%2A', '/about', '/%E2%80%8B'].map((path) => ({
      url: `https://example.com${path}`,
      title: path === '/about' ? '\u200b' : '# **',
      description: '*~*',
    })),
  })

  test('has a title, a summary and a text in each link', () => {
    const { title, summary, links } = readLlms(text)
    expect(title).toBe('example.com')
    expect(summary).toBe('The website at example.com.')
    expect(links.map((link) => link?.['title'])).toEqual(['Home', 'About', 'Page', 'Page', 'Page'])
    expect(links.filter((link) => link?.['note'] !== undefined)).toEqual([])
  })
})

describe('the zip', () => {
  const files = [
    { name: 'robots.txt', content: Buffer.from('User-agent: *\n') },
    { name: 'llms.txt', content: Buffer.from('é'.repeat(10_000)) },
  ]

  test('equal files give equal bytes', async () => {
    expect(await writeZip(files)).toEqual(await writeZip(files))
  })

  test('holds the files', async () => {
    const zip = Buffer.from(await writeZip(files))
    const start = 30 + 'robots.txt'.length
    const expected = 'User-agent: *\n'
    expect(inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(18))).toString()).toBe(expected)
    expect(zip.readUInt16LE(zip.length - 22 + 10)).toBe(2)
  })

  for (const [program, ...words] of [
    ['unzip', '-tqq'],
    ['python3', '-m', 'zipfile', '-t'],
  ] as const)
    test.skipIf(Bun.which(program) === null)(`opens with ${program}`, async () => {
      const file = join(folder, 'bundle.zip')
      writeFileSync(file, await writeZip(files))
      await readBy([program, ...words, file], new Uint8Array(0))
    })
})
