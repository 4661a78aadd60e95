import assert from 'node:assert/strict'
import { parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { PageFields } from '../../../src/assets/preview/preview.ts'
import type { Check } from '../../support/check.ts'
import placeholdersTable from './placeholders.json' with { type: 'json' }
import cases from './placeholders-checks.json' with { type: 'json' }

const placeholders = placeholdersTable

function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function preview(html: string) {
  return parsePreview(Buffer.from(html), {
    url: 'https://notes.example.com/a',
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

function pageWith(value: string) {
  const content = escaped(value)
  const linked = JSON.stringify({
    '@type': 'Article',
    headline: value,
    author: { '@type': 'Person', name: value },
    publisher: { name: value },
    image: value,
  }).replaceAll('<', '\\u003c')
  return `<title>Tides - Notes</title><meta property="og:title" content="${content}"><meta property="og:site_name" content="${content}">
    <meta property="og:description" content="${content}"><meta name="description" content="All that is known about tides, and a table of them.">
    <meta property="og:image" content="${content}"><meta name="author" content="${content}">
    <link rel="canonical" href="${content}"><script type="application/ld+json">${linked}</script>
    <body><h1>Tides</h1><p>By <a rel="author" href="/ann">Ann Lee</a></p>`
}

/** Texts about templates and about what programs print. */
const real = cases.real as [html: string, expected: Partial<Record<keyof PageFields, unknown>>][]

const images = cases.images

export const checks: readonly Check[] = [
  ...placeholders.map(
    (value): Check => ({
      name: `${value} in every field`,
      async run() {
        const { title, site_name, description, image, author, canonical } = await preview(pageWith(value))
        assert.deepEqual(
          { title, site_name, description, image, author, canonical: canonical?.includes('{') ?? false },
          {
            title: 'Tides - Notes',
            site_name: 'Notes',
            description: 'All that is known about tides, and a table of them.',
            image: null,
            author: 'Ann Lee',
            canonical: false,
          },
        )
      },
    }),
  ),
  ...images.map(
    (href): Check => ({
      name: `the image ${href}`,
      async run() {
        const html = `<meta property="og:image" content="${href}"><meta name="twitter:image" content="/real.png">`
        assert.equal((await preview(html)).image?.url, 'https://notes.example.com/real.png')
      },
    }),
  ),
  ...real.map(
    ([html, expected]): Check => ({
      name: `a real value: ${html}`,
      async run() {
        const found: Partial<Record<keyof PageFields, unknown>> = await preview(html)
        for (const [field, value] of Object.entries(expected))
          assert.deepEqual(found[field as keyof PageFields], value)
      },
    }),
  ),
  {
    name: 'the name of a site that only its titles have',
    async run() {
      const html = '<title>Post - Example Blog</title><meta property="og:site_name" content="{{site.name}}">'
      assert.equal((await preview(html)).site_name, 'Example Blog')
    },
  },
  {
    name: 'raw tags are there as the page has them',
    async run() {
      assert.deepEqual((await preview('<meta property="og:title" content="{{page.title}}">')).og, {
        title: '{{page.title}}',
      })
    },
  },
]
