import { describe, expect, test } from 'bun:test'
import { writeSitemap } from '../../../src/assets/sitemap/write-sitemap.ts'
import { readSitemap } from './read-text.ts'
import { hasXmllint, judge } from './sitemap-judge.ts'

async function dated(lastmod: string) {
  const file = `<urlset><url><loc>https://example.com/</loc><lastmod>${lastmod}</lastmod></url></urlset>`
  const [entry] = (await readSitemap(file, 1)).entries
  return entry?.lastmod
}

describe('lastmod', () => {
  const cases: readonly (readonly [written: string, read: string | undefined])[] = [
    ['2024-02-29', '2024-02-29'],
    [' 2021-01-01T10:00:00Z\n', '2021-01-01T10:00:00Z'],
    ['2021-01-01T10:00:00.123456789+14:00', '2021-01-01T10:00:00.123456789+14:00'],
    ['2021-01-01T10:00Z', '2021-01-01T10:00:00Z'],
    ['2021-01-01T10:00-05:30', '2021-01-01T10:00:00-05:30'],
    ['2021-02-29', undefined],
    ['2021-02-31', undefined],
    ['2021-13-01', undefined],
    ['0000-01-01', undefined],
    ['2020-02-30T10:00:00Z', undefined],
    ['2021-01-01T24:00:00Z', undefined],
    ['2021-01-01T10:60:00Z', undefined],
    ['2021-01-01T10:00:60Z', undefined],
    ['2021-01-01T10:00:00+15:00', undefined],
    ['2021-01-01T10:00:00+14:01', undefined],
    ['2021-01-01T10:00:00+01:60', undefined],
    ['2021', undefined],
    ['yesterday', undefined],
  ]

  test.each(cases)('%j becomes %j', async (written, read) => {
    expect(await dated(written)).toBe(read)
  })

  test.skipIf(!hasXmllint)('is always one that the protocol allows', async () => {
    const read = await Promise.all(cases.map(([written]) => dated(written)))
    expect(await judge(writeSitemap(read.map((lastmod) => ({ loc: 'https://example.com/', lastmod }))))).toBe(
      '',
    )
  })
})
