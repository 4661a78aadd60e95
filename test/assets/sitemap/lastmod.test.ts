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
    ['2024-01-08T00:00:00', '2024-01-08'],
    ['2016-01-25 15:35:12', '2016-01-25'],
    ['2024-01-08 10:00:00 +0200', '2024-01-08T10:00:00+02:00'],
    ['2024-01-08t10:00:00z', '2024-01-08T10:00:00Z'],
    ['2024-1-8', '2024-01-08'],
    ['2024/01/08', '2024-01-08'],
    ['Thu, 01 Feb 2024 10:00:00 GMT', '2024-02-01T10:00:00Z'],
    ['Thu, 01 Feb 2024 12:00:00 +0200', '2024-02-01T10:00:00Z'],
    ['February 1, 2024', '2024-02-01'],
    ['01/02/2024', undefined],
    ['1989-12-31', undefined],
    ['1940-12-22', undefined],
    ['1970-01-01T00:00:00Z', undefined],
    ['2929-01-01', undefined],
    ['2026-06-02', '2026-06-02'],
    ['2026-06-03', undefined],
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
