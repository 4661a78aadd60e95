import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { normalizeDomain, siteOf } from '../../../src/assets/sitemap/normalize-domain.ts'
import { parseRobots } from '../../../src/assets/sitemap/robots.ts'
import { writeSitemap } from '../../../src/assets/sitemap/write-sitemap.ts'
import { hasXmllint, judge, readSitemap } from './look.ts'
import tables from './parse-robots.json' with { type: 'json' }
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

const file = tables.file.join('\n')

describe('robots.txt is read as RFC 9309 says', () => {
  for (const [pattern, path, matches] of patterns) {
    test(`${pattern} ${matches ? 'covers' : 'does not cover'} ${path}`, async () => {
      expect(await isDisallowed(pattern, path)).toBe(matches)
    })
  }

  for (const { name, text, agent, allowed, refused } of tables.robots)
    test(name, async () => {
      const { allows } = await parseRobots(text ?? file, agent)
      expect([...allowed, ...refused].filter(allows)).toEqual(allowed)
    })

  test('sitemaps are for everybody', async () => {
    expect((await parseRobots(file, 'x')).sitemaps).toEqual([
      'https://example.com/one.xml',
      'https://example.com/two.xml',
    ])
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
  ...(tables.domains as readonly DomainCase[]),
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
  const cases = tables.dates as [written: string, read: string | null][]

  test.each(cases)('%j becomes %j', async (written, read) => {
    expect((await dated(written)) ?? null).toBe(read)
  })

  test.skipIf(!hasXmllint())('is always one that the protocol allows', async () => {
    const read = await Promise.all(cases.map(([written]) => dated(written)))
    expect(await judge(writeSitemap(read.map((lastmod) => ({ loc: 'https://example.com/', lastmod }))))).toBe(
      '',
    )
  })
})
