import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { normalizeDomain, siteOf } from '../../../src/assets/sitemap/normalize-domain.ts'

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
