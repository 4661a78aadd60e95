import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { normalizeDomain, siteOf } from '../../../src/assets/sitemap/normalize-domain.ts'
import { parseRobots } from '../../../src/assets/sitemap/robots.ts'
import { writeSitemap } from '../../../src/assets/sitemap/write-sitemap.ts'
import { hasXmllint, judge, readSitemap } from './look.ts'
import robotsPatterns from './robots-patterns.json' with { type: 'json' }

/** Patterns against paths, after RFC 9309 section 2.2 and Google's examples. */
const patterns = robotsPatterns as unknown as readonly (readonly [
  pattern: string,
  path: string,
  matches: boolean,
])[]

async function isDisallowed(pattern: string, path: string): Promise<boolean> {
  const rules = await parseRobots(`User-agent: *\nDisallow: ${pattern}`, 'x')
  return !rules.allows(path)
}

const file = `# comment
User-agent: Googlebot
User-Agent: OtherBot/1.0
Disallow: /private # secret
Crawl-delay: 10

user-agent: *
disallow: /
Allow: /$
allow: /open/

User-agent: mintmarkbot
Disallow: /a
Allow: /a/b
Disallow:
Sitemap: https://example.com/one.xml
SITEMAP:https://example.com/two.xml # second

User-agent: MintmarkBot
Disallow: /c
`

describe('robots.txt is read as RFC 9309 says', () => {
  for (const [pattern, path, matches] of patterns) {
    test(`${pattern} ${matches ? 'covers' : 'does not cover'} ${path}`, async () => {
      expect(await isDisallowed(pattern, path)).toBe(matches)
    })
  }

  test('groups of one crawler are one, whatever the case of its name', async () => {
    const rules = await parseRobots(file, 'MintmarkBot')
    expect(['/a', '/a/b', '/c', '/d', '/robots.txt'].map(rules.allows)).toEqual([
      false,
      true,
      false,
      true,
      true,
    ])
  })

  test('a crawler without a group of its own follows the one for everybody', async () => {
    const rules = await parseRobots(file, 'Stranger')
    expect(['/', '/x', '/open/x'].map(rules.allows)).toEqual([true, false, true])
  })

  test('agents above the same rules share them, versions do not count', async () => {
    expect((await parseRobots(file, 'OtherBot')).allows('/private')).toBe(false)
    expect((await parseRobots(file, 'OtherBot')).allows('/public')).toBe(true)
  })

  test('sitemaps are for everybody', async () => {
    expect((await parseRobots(file, 'x')).sitemaps).toEqual([
      'https://example.com/one.xml',
      'https://example.com/two.xml',
    ])
  })

  test('the longest match decides, and allowing wins between equals', async () => {
    const rules = await parseRobots('User-agent: *\nDisallow: /page\nAllow: /page\nDisallow: /*.htm', 'x')
    expect(['/page', '/page.htm'].map(rules.allows)).toEqual([true, false])
  })

  test('escapes and characters beyond ASCII mean the same', async () => {
    const rules = await parseRobots(
      'User-agent: *\nDisallow: /caf%c3%a9\nDisallow: /tür\nDisallow: /%7Ejoe',
      'x',
    )
    expect(['/caf%C3%A9', '/t%C3%BCr', '/~joe'].map(rules.allows)).toEqual([false, false, false])
  })

  test('an empty file, a page and a byte order mark do no harm', async () => {
    for (const text of ['', '<html>not found</html>', 'Disallow: /'])
      expect((await parseRobots(text, 'x')).allows('/')).toBe(true)
    expect((await parseRobots('\ufeffUser-agent: *\r\nDisallow: /', 'x')).allows('/')).toBe(false)
  })

  test('a file of endless rules keeps us out in the end, instead of keeping us busy', async () => {
    const rules = await parseRobots(`User-agent: *\n${'Disallow: /*a*b*c*d*e\n'.repeat(2_000)}`, 'x')
    const path = `/${'abcd'.repeat(500)}`
    const answers = Array.from({ length: 200 }, () => rules.allows(path))
    expect(answers[0]).toBe(true)
    expect(answers.at(-1)).toBe(false)
  })

  test('a pattern of stars costs no more than it is long', async () => {
    const bomb = `/${'*a'.repeat(2_000)}b`
    expect(await isDisallowed(bomb, `/${'a'.repeat(50_000)}`)).toBe(false)
  })
})

interface DomainCase {
  readonly input: string
  readonly want: string
}

const files = ['../../fixtures/bundle/domains.json', '../../../../shared/cases/domains.json']
const given: readonly DomainCase[] = files
  .map((path) => new URL(path, import.meta.url))
  .filter((file) => existsSync(file))
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).cases)

const more: readonly DomainCase[] = [
  { input: 'https://www.example.com/page?x=1#y', want: 'www.example.com' },
  { input: 'example.com/page?x=1', want: 'example.com' },
  { input: '//example.com', want: '!invalid_domain' },
  { input: 'HTTP://Example.COM', want: 'example.com' },
  { input: 'https://example.com:8443/', want: '!invalid_domain' },
  { input: 'https://user@example.com/', want: '!invalid_domain' },
  { input: 'ftp://example.com', want: '!invalid_domain' },
  { input: 'bücher.example.co.uk', want: 'xn--bcher-kva.example.co.uk' },
  { input: 'co.uk', want: '!invalid_domain' },
  { input: 'user.github.io', want: 'user.github.io' },
  { input: 'exam ple.com', want: '!invalid_domain' },
  { input: 'a..b.com', want: '!invalid_domain' },
  { input: 'under_score.com', want: '!invalid_domain' },
  { input: 'localhost', want: '!reserved_domain' },
  { input: 'printer.local', want: '!reserved_domain' },
  { input: 'site.test', want: '!reserved_domain' },
  { input: 'intranet', want: '!reserved_domain' },
  { input: 'example', want: '!reserved_domain' },
  { input: 'word', want: '!invalid_domain' },
  { input: '[2606:4700::1]', want: '!ip_not_a_domain' },
  { input: '0x7f.1', want: '!ip_not_a_domain' },
  { input: '１２７.０.０.１', want: '!ip_not_a_domain' },
  { input: '', want: '!invalid_domain' },
  { input: `${'a.'.repeat(130)}com`, want: '!invalid_domain' },
]

describe('the domain that a person meant', () => {
  for (const { input, want } of [...given, ...more]) {
    test(`${JSON.stringify(input.slice(0, 60))} is ${want}`, () => {
      const result = normalizeDomain(input)
      expect('host' in result ? result.host : `!${result.error}`).toBe(want)
    })
  }

  test('private suffixes part the sites of different owners', () => {
    expect(siteOf('www.example.co.uk')).toBe('example.co.uk')
    expect(siteOf('one.github.io')).not.toBe(siteOf('two.github.io'))
  })
})

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

  test.skipIf(!hasXmllint())('is always one that the protocol allows', async () => {
    const read = await Promise.all(cases.map(([written]) => dated(written)))
    expect(await judge(writeSitemap(read.map((lastmod) => ({ loc: 'https://example.com/', lastmod }))))).toBe(
      '',
    )
  })
})
