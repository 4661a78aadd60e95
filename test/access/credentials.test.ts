import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { crawlerOf, previewNetworks, readCrawler } from '../../src/access/crawlers.ts'
import { type Credentials, readCredentials } from '../../src/access/credentials.ts'
import { createHostReader, hostsLengthMax, hostsMax, isOnHosts } from '../../src/access/key-limits.ts'
import { repeated } from '../support/repeated.ts'
import crawlers from './crawlers.json'
import keyHosts from './hosts.json' with { type: 'json' }
import malformed from './malformed-credentials.json' with { type: 'json' }
import { openAccess, outcome } from './temporary-access.ts'

const sig = 'a'.repeat(64)
const signed = { keyId: 'mk_a', unixSeconds: 5, sig }

/** The names of the parameters that are reported as wrong. */
function wrong(rawQuery: string): string[] {
  const read = readCredentials(rawQuery)
  return 'errors' in read ? read.errors.map(({ parameter }) => parameter) : []
}

describe('well-formed credentials', () => {
  test.each<[string, Credentials]>([
    ['', { demo: false }],
    ['title=Hello', { demo: false }],
    ['demo=1', { demo: true }],
    ['demo=0', { demo: false }],
    ['title=a&amp;demo=1', { demo: true }],
    [`amp;key=mk_a&amp;amp;t=5&amp;sig=${sig}`, { demo: false, signature: { ...signed, kind: 't' } }],
    [`key=mk_a&t=5&sig=${sig}`, { demo: false, signature: { ...signed, kind: 't' } }],
    [`sig=${sig}&exp=5&demo=1&key=mk_a`, { demo: true, signature: { ...signed, kind: 'exp' } }],
    [`%6Bey=mk%5Fa&t=5&sig=${sig}`, { demo: false, signature: { ...signed, kind: 't' } }],
  ])('are read from %p', (rawQuery, credentials) => {
    expect(readCredentials(rawQuery)).toEqual(credentials)
  })
})

describe('malformed credentials', () => {
  test.each(Object.entries(malformed))('are refused: %s', (_, [rawQuery = '', ...parameters]) => {
    expect(wrong(repeated(rawQuery)).sort()).toEqual(parameters.sort())
  })

  test('cost nothing and grant nothing, even beside the demo', async () => {
    const access = await openAccess()
    expect(outcome(await access.call('/api/og?demo=1&t=5'))).toBe('invalid_query')
    expect(await access.used('demo')).toBe(0)
  })
})

test.each(crawlers)('tells who sends $userAgent', ({ userAgent, ...expected }) => {
  expect([crawlerOf(userAgent) as object, readCrawler(userAgent) as object]).toEqual([expected, expected])
})

test('a crawler that is not at the beginning of a long text is nobody', () => {
  expect(readCrawler(`${'x'.repeat(16_384)} Twitterbot/1.0`).isPreviewCrawler).toBe(false)
})

test('every network of previews has one name', () => {
  expect(new Set(previewNetworks).size).toBe(previewNetworks.length)
  expect(previewNetworks).not.toContain('search' as never)
})

const read = createHostReader([])
const readWithPrivate = createHostReader(['127.0.0.0/8', 'fd00::/8'])

function mistakeOf(list: string, reader = read): string {
  const result = reader(list)
  return 'mistake' in result ? result.mistake : `taken as ${result.hosts}`
}

describe('the hosts of a key', () => {
  const { cases } = JSON.parse(
    readFileSync(new URL('../fixtures/bundle/domains.json', import.meta.url), 'utf8'),
  )
  /** Others have their sites below these, so they are domains and no hosts of a key. */
  const suffixes = ['github.io']

  test.each(cases as readonly { readonly input: string; readonly want: string }[])(
    'are names of domains: $input',
    ({ input, want }) => {
      const result = read(input)
      if (want.startsWith('!') || suffixes.includes(want)) expect(result).toHaveProperty('mistake')
      else expect(result).toEqual({ hosts: [want] })
    },
  )

  test('are each named once, in the order of the list', () => {
    const list = 'example.com, WWW.example.org\n bücher.de,example.com.,https://example.com/blog'
    expect(read(list)).toEqual({ hosts: ['example.com', 'www.example.org', 'xn--bcher-kva.de'] })
    expect(read('')).toEqual({ hosts: [] })
  })

  test.each(keyHosts.suffixes)('are no public suffix, below which anybody has a site: %s', (suffix) => {
    expect(read(suffix)).toHaveProperty('mistake')
    expect(read(`mine.${suffix}`)).toHaveProperty(suffix.includes('amazonaws') ? 'mistake' : 'hosts')
  })

  test('are refused by name and reason, and so are too many', () => {
    const expected = 'names github.io, which is a public suffix: anybody can have a site below it'
    expect(mistakeOf('example.com,github.io')).toBe(expected)
    expect(mistakeOf('127.0.0.1')).toBe('names 127.0.0.1, which is an address, not the name of a host')
    expect(mistakeOf('example.com:8080')).toContain('example.com:8080')
    expect(mistakeOf(',')).toBe('names no host')
    const many = Array.from({ length: hostsMax + 1 }, (_, n) => `n${n}.example.com`)
    expect(mistakeOf(many.join())).toBe(`names ${hostsMax + 1} hosts, and a key can name ${hostsMax}`)
    expect(read(many.slice(1).join())).toEqual({ hosts: many.slice(1) })
    expect(mistakeOf(`${'a'.repeat(hostsLengthMax)}.com`).length).toBeLessThan(200)
  })

  test('have a port or are an address only where the operator allows that address to be fetched', () => {
    expect(readWithPrivate('127.0.0.1:4321,[fd00::1]:80,[fd00::2],example.com:8443,example.org')).toEqual({
      hosts: ['127.0.0.1:4321', '[fd00::1]:80', '[fd00::2]', 'example.com:8443', 'example.org'],
    })
    expect(readWithPrivate('localhost:4321,Blog.localhost,wiki.corp,web:8080')).toEqual({
      hosts: ['localhost:4321', 'blog.localhost', 'wiki.corp', 'web:8080'],
    })
    for (const list of ['localhost:4321', 'wiki.corp', 'web']) expect(mistakeOf(list)).toStartWith('names ')
    for (const list of keyHosts.wrong)
      expect(mistakeOf(list, readWithPrivate)).toStartWith(`names ${list}, which `)
  })
})

describe('a page', () => {
  const hosts = ['example.com', 'shop.example.org:8443', '127.0.0.1:80', '[fd00::1]:80']

  test.each(keyHosts.own)('is on the hosts of its key: %s', (url) => {
    expect(isOnHosts(new URL(url), hosts)).toBe(true)
  })

  test.each(keyHosts.foreign)('is not: %s', (url) => {
    expect(isOnHosts(new URL(url), hosts)).toBe(false)
  })

  test('of a key without hosts is nowhere', () => {
    expect(isOnHosts(new URL('https://example.com/'), [])).toBe(false)
  })
})
