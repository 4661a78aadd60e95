import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createHostReader, hostsLengthMax, hostsMax, isOnHosts } from '../../src/access/key-limits.ts'

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

  test.each([
    'github.io',
    'co.uk',
    'com',
    'blogspot.com',
    'pages.dev',
    'vercel.app',
    'compute.amazonaws.com',
  ])('are no public suffix, below which anybody has a site: %s', (suffix) => {
    expect(read(suffix)).toHaveProperty('mistake')
    expect(read(`mine.${suffix}`)).toHaveProperty(suffix.includes('amazonaws') ? 'mistake' : 'hosts')
  })

  test('are refused by name and reason, and so are too many', () => {
    expect(mistakeOf('example.com,github.io')).toBe(
      'names github.io, which is a public suffix: anybody can have a site below it',
    )
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
    for (const list of [
      'corp',
      'a.onion',
      '10.0.0.1',
      '8.8.8.8',
      '[::1]',
      'example.com:65536',
      'github.io:443',
      '2130706433',
      ':80',
    ])
      expect(mistakeOf(list, readWithPrivate)).toStartWith(`names ${list}, which `)
  })
})

describe('a page', () => {
  const hosts = ['example.com', 'shop.example.org:8443', '127.0.0.1:80', '[fd00::1]:80']

  test.each([
    'https://example.com/',
    'http://example.com:8080/a?b#c',
    'https://www.example.com/',
    'https://a.b.example.com./',
    'https://shop.example.org:8443/x',
    'https://www.shop.example.org:8443/x',
    'http://127.0.0.1/',
    'http://[fd00::1]/',
  ])('is on the hosts of its key: %s', (url) => {
    expect(isOnHosts(new URL(url), hosts)).toBe(true)
  })

  test.each([
    'https://example.com.evil.net/',
    'https://notexample.com/',
    'https://example.com@evil.net/',
    'https://evil.net/example.com',
    'https://example.org/',
    'https://shop.example.org/',
    'http://127.0.0.1:81/',
    'https://127.0.0.1/',
    'http://[fd00::2]/',
    'data:text/html,example.com',
  ])('is not: %s', (url) => {
    expect(isOnHosts(new URL(url), hosts)).toBe(false)
  })

  test('of a key without hosts is nowhere', () => {
    expect(isOnHosts(new URL('https://example.com/'), [])).toBe(false)
  })
})
