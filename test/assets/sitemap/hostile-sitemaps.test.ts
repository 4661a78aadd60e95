import { expect, test } from 'bun:test'
import { stallMsMax, watchEventLoop } from '../../support/event-loop-lag.ts'
import { hostileTexts } from '../../support/hostile-texts.ts'
import { sampleOf } from '../../support/test-size.ts'
import { readSitemap } from './look.ts'

const beginnings = [
  '',
  '<urlset><url><loc>https://site.example.com/</loc></url>',
  '<sitemapindex><sitemap><loc>',
]

test.each(sampleOf(hostileTexts, 6).map(({ id, text }) => [id, text] as const))(
  'a sitemap of %s is read to an answer and lets others run',
  async (_, text) => {
    for (const beginning of beginnings) {
      const { value, stallMs } = await watchEventLoop(() => readSitemap(beginning + text(), 1_000))
      expect(value.entries.length).toBeLessThanOrEqual(1_000)
      expect(value.children.length).toBeLessThanOrEqual(500)
      for (const loc of [...value.entries.map((entry) => entry.loc), ...value.children])
        expect(loc.length).toBeLessThanOrEqual(4_096)
      expect(stallMs).toBeLessThan(stallMsMax)
    }
  },
)

test('what stands below a sitemap that is too deep is not read, however it is closed', async () => {
  function entry(name: string) {
    return `<url><loc>https://site.example.com/${name}</loc></url>`
  }
  const deep = `<urlset>${entry('before')}${'<a>'.repeat(100)}${'</a>'.repeat(100)}${entry('after')}`
  expect((await readSitemap(deep, 9)).entries.map(({ loc }) => loc)).toEqual([
    'https://site.example.com/before',
  ])
})

test('ends of elements that never began change nothing', async () => {
  const loose = '</x></url><urlset></y><url></z><loc>https://site.example.com/</w></loc></url></urlset></url>'
  expect((await readSitemap(loose, 9)).entries).toEqual([{ loc: 'https://site.example.com/' }])
})

test('character references are read wherever a long file is cut into pieces', async () => {
  const entry = '<url><loc>https://site.example.com/?a=1&amp;b=2</loc><lastmod>2026&#45;01-02</lastmod></url>'
  const { entries } = await readSitemap(`<urlset>${entry.repeat(2_000)}</urlset>`, 5_000)
  expect(entries).toHaveLength(2_000)
  expect(new Set(entries.map(({ loc, lastmod }) => `${loc} ${lastmod}`))).toEqual(
    new Set(['https://site.example.com/?a=1&b=2 2026-01-02']),
  )
})
