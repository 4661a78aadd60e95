import assert from 'node:assert/strict'
import type { Check } from '../../support/check.ts'
import { type SmallAnswer, siteCheck, withSmallSite } from './support/small-site.ts'

const answer = {
  version: '1.0',
  type: 'video',
  title: 'Tides explained',
  author_name: 'Ann Lee',
  thumbnail_url: '/tides.jpg',
  thumbnail_width: 480,
  thumbnail_height: 360,
  html: '<iframe src="https://evil.example/"></iframe>',
}

function json(value: unknown): SmallAnswer {
  return { type: 'application/json', body: JSON.stringify(value) }
}

function page(head: string, href = '/oembed?url=a') {
  return { body: `<head><link rel="alternate" type="application/json+oembed" href="${href}">${head}</head>` }
}

/** Answers that are of no use. */
const useless: readonly (readonly [kind: string, answer: SmallAnswer | undefined])[] = [
  ['an error', { status: 500 }],
  ['HTML', { body: JSON.stringify(answer) }],
  ['no JSON', { type: 'application/json', body: '{"type":"video"' }],
  ['a list', json([answer])],
  ['a link', json({ ...answer, type: 'link' })],
  ['more than 64 KiB', json({ ...answer, html: 'x'.repeat(70_000) })],
  ['a redirect', { status: 302, headers: ['Location: /elsewhere'] }],
  ['silence', undefined],
]

/** Pages whose oEmbed is not asked. */
const unasked: readonly (readonly [kind: string, page: SmallAnswer])[] = [
  ['that says it all', page('<title>Tides</title><meta name="author" content="Bo Chan">')],
  ['whose oEmbed is of another site', page('<title>Tides</title>', 'https://example.org/oembed')],
  ['whose oEmbed is the page itself', page('<title>Tides</title>', '/a')],
  ['of WordPress', page('<title>Tides</title>', '/wp-json/oembed/1.0/embed?url=a')],
]

export const checks: readonly Check[] = [
  siteCheck(
    'author, title and picture are filled, in one request, and nothing of its HTML',
    ({ path }) => (path === '/a' ? page('') : json(answer)),
    async ({ origin, requests, preview }) => {
      const found = await preview('/a')
      assert.deepEqual(
        [
          found.title,
          found.author,
          found.authors,
          found.image?.url,
          found.image?.width,
          found.sources['author'],
        ],
        ['Tides explained', 'Ann Lee', ['Ann Lee'], `${origin}/tides.jpg`, 480, 'oembed'],
      )
      assert.deepEqual(found.warnings, [])
      assert.equal(requests.length, 2)
      assert.ok(!JSON.stringify(found).includes('evil.example'))
    },
  ),
  siteCheck(
    'what the page says itself stays',
    ({ path }) =>
      path === '/a'
        ? page('<title>The sea</title><meta property="og:image" content="/sea.png">')
        : json(answer),
    async ({ origin, preview }) => {
      const { title, author, image } = await preview('/a')
      assert.deepEqual([title, author, image?.url], ['The sea', 'Ann Lee', `${origin}/sea.png`])
    },
  ),
  {
    name: 'a photo is the picture itself, and a private address is none',
    run: async () => {
      for (const [url, expected] of [
        ['https://cdn.example.org/full.jpg', 'https://cdn.example.org/full.jpg'],
        ['http://10.0.0.1/full.jpg', undefined],
        ['javascript:alert(1)', undefined],
      ] as const)
        await withSmallSite(
          ({ path }) =>
            path === '/a' ? page('<title>Sea</title>') : json({ ...answer, type: 'photo', url }),
          async ({ preview }) => assert.equal((await preview('/a')).image?.url, expected),
        )
    },
  },
  ...useless.map(([kind, given]) =>
    siteCheck(
      `an oEmbed that is ${kind} is a warning`,
      ({ path }) => (path === '/a' ? page('<title>The sea</title>') : given),
      async ({ requests, preview }) => {
        const { title, author, warnings } = await preview('/a')
        assert.deepEqual([title, author, warnings], ['The sea', null, ['oembed_failed']])
        assert.equal(requests.length, 2)
      },
    ),
  ),
  ...unasked.map(([kind, given]) =>
    siteCheck(
      `a page ${kind} costs no other request`,
      () => given,
      async ({ requests, preview }) => {
        assert.deepEqual((await preview('/a')).warnings, [])
        assert.equal(requests.length, 1)
      },
    ),
  ),
]
