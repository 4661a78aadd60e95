import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { letters } from '../../src/assets/preview/site-name.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { startPageSite } from './support/page-site.ts'

const site = started(startPageSite)
const server = started(() => startService({ env: site.env }))

async function card(path: string) {
  const query = new URLSearchParams({ page: site.url(path), demo: '1' })
  const response = await fetch(`${server.url}/api/card?${query}`)
  const body = await response.text()
  return {
    source: response.headers.get('x-card-source'),
    title: /<title[^>]*>([^<]*)</.exec(body)?.[1] ?? '',
    desc: (/<desc[^>]*>([^<]*)</.exec(body)?.[1] ?? '').split(' · '),
  }
}

const folder = new URL('../fixtures/sites/', import.meta.url).pathname
const files = [...new Glob('**/*.html').scanSync(folder)].sort()
/** Pages that generators write beside those that people read. */
const others = /(?:^|\/)(?:404|200|_not-found|_error|_gatsby|old|_next|google)/

describe('pages as generators write them have cards that say each thing once', () => {
  const pages = files.filter((file) => !others.test(file))
  test.each(pages)('%s', async (file) => {
    site.setPage(`/${file}`, readFileSync(folder + file, 'utf8'))
    const { source, title, desc } = await card(`/${file}`)
    expect(source).toBe('page')
    expect(title.trim()).not.toBe('')
    const texts = [title, ...desc].map(letters).filter((text) => text !== '')
    expect(texts).toEqual([...new Set(texts)])
  })
})

const twice = [
  ['<title>Harbour News</title><meta property="og:site_name" content="Harbour News">', 'Harbour News', []],
  [
    '<title>Tides | Harbour News</title><meta property="og:site_name" content="Harbour News"><meta name="author" content="Harbour News">',
    'Tides',
    [],
  ],
  ['<title>Tides</title><meta name="description" content="Tides.">', 'Tides', []],
  ['<title></title><p>Nothing else', 'harbour.example.com', undefined],
  [
    '<title>Tides</title><meta name="mintmark:title" content="My own"><meta name="mintmark:subtitle" content="And mine"><meta name="description" content="Left out">',
    'My own',
    ['And mine'],
  ],
] as const

test.each(twice)('%s', async (markup, title, desc) => {
  site.setPage(`/twice/${letters(markup)}`, markup)
  const drawn = await card(`/twice/${letters(markup)}`)
  expect(drawn.title.replace(/:\d+$/, '')).toBe(title)
  expect(drawn.desc.filter((text) => text !== '' && !text.startsWith('harbour.example.com'))).toEqual([
    ...(desc ?? []),
  ])
})
