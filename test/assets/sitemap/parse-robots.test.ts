import { describe, expect, test } from 'bun:test'
import { parseRobots } from '../../../src/assets/sitemap/robots.ts'

/** Patterns against paths, after RFC 9309 section 2.2 and Google's examples. */
const patterns: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
  ['/', '/anything', true],
  ['/fish', '/fishheads/yummy.html', true],
  ['/fish', '/Fish.asp', false],
  ['/fish', '/catfish', false],
  ['/fish*', '/fish', true],
  ['/fish/', '/fish', false],
  ['/fish/', '/fish/?id=1', true],
  ['/*.php', '/folder/any.php.file.html', true],
  ['/*.php', '/windows.PHP', false],
  ['/*.php$', '/folder/filename.php', true],
  ['/*.php$', '/filename.php?parameters', false],
  ['/*.php$', '/filename.php5', false],
  ['/fish*.php', '/fishheads/catfish.php?id=1', true],
  ['/fish*.php', '/Fish.PHP', false],
  ['/a$', '/a', true],
  ['/a$', '/ab', false],
  ['/a*$', '/anything', true],
  ['*/b', '/a/b', true],
  ['/a*a$', '/a', false],
  ['/x*y*z', '/xyyz', true],
  ['/x*yy*y', '/xyy', false],
]

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
