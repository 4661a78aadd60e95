import assert from 'node:assert/strict'
import { type ParsedPreview, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'

type Expected = Partial<Record<keyof ParsedPreview, unknown>>

const text = 'The harbour is closed on Monday, because the old crane is taken down and a new one is put up.'

const pages: readonly (readonly [kind: string, html: string, expected: Expected])[] = [
  [
    'pictures and canonical links to private hosts',
    '<meta property="og:image" content="http://localhost:3000/og.png"><link rel="canonical" href="http://192.168.1.2/x">',
    { image: null, canonical: null, warnings: ['private_address'] },
  ],
  [
    'public links, with no warning',
    '<meta property="og:image" content="https://cdn.example.com/og.png"><link rel="canonical" href="/x">',
    { image: 'https://cdn.example.com/og.png', canonical: 'https://notes.example.com/x', warnings: [] },
  ],
  [
    'a card about the author below an article',
    `<h1>T</h1><p>by <a class="text-muted" href="#author">Gina Arno Hall</a> <span>Publication date</span></p><p>${text}</p>
     <div class="card" id="author"><p>About <strong>Gina Arno Hall</strong></p><p>Gina Arno is an avid coder.</p>
     <a href="/team/g/" class="card-link">» More about Gina Arno</a></div>`,
    { author: 'Gina Arno Hall' },
  ],
  [
    'a card that is all that names the author',
    `<h1>T</h1><p>${text}</p><div class="author"><a href="/team/g/">More about Gina Hall</a></div>`,
    { author: 'Gina Hall' },
  ],
  [
    'a title that ends with its author',
    '<title>How to write - by Fred Fern</title><h1>How to write</h1>',
    { author: 'Fred Fern', site_name: 'notes.example.com' },
  ],
  [
    'a title with author and site',
    '<title>How to write - by Fred Fern - Fern Letters</title><h1>How to write</h1>',
    { author: 'Fred Fern', site_name: 'Fern Letters' },
  ],
  ['a title that is German', '<title>Vom Schreiben – von Karl Kamm</title>', { author: 'Karl Kamm' }],
  ['a title with a by that is no author', '<title>Harbour - by night</title>', { author: null }],
  [
    'an author as feeds write them',
    '<meta name="author" content="editor@example.com (Edi Tor)">',
    { author: 'Edi Tor' },
  ],
  [
    'an author as mails have them',
    '<meta name="author" content="Edi Tor &lt;e@example.com&gt;">',
    { author: 'Edi Tor' },
  ],
  ...[
    'admin',
    'demo',
    'Admin',
    'administrator',
    'root',
    'admin2',
    'user1',
    'wp-admin',
    'webmaster',
    'siteadmin',
    'superuser',
  ].map(
    (login) => [`the login ${login}`, `<meta name="author" content="${login}">`, { author: null }] as const,
  ),
  [
    'a login beside the name of its owner',
    '<meta name="author" content="admin"><p class="byline">By Ann Lee</p>',
    { author: 'Ann Lee' },
  ],
  [
    'images that are numbered',
    '<meta property="og:image1" content="/1.png"><meta property="og:image2" content="/2.png">',
    { image: 'https://notes.example.com/1.png', images: 2 },
  ],
  [
    'a numbered image with its size',
    '<meta property="og:image" content="/0.png"><meta property="og:image1" content="/1.png"><meta property="og:image1:width" content="300">',
    { image: 'https://notes.example.com/0.png', images: 2 },
  ],
  [
    'a description that is the title once more',
    `<meta property="og:title" content="The harbour is closed on Monday, all day"><meta property="og:description" content="The harbour is closed on Monday, all day"><p>${text}</p>`,
    { description: text },
  ],
  [
    'a description that is the title once more, where nothing else is said',
    '<title>The harbour is closed - Notes</title><meta name="description" content="The harbour is closed">',
    { description: null },
  ],
  ['the direction of Arabic', '<html lang="ar">', { dir: 'rtl' }],
  ['the direction of Hebrew', '<html lang="he-IL">', { dir: 'rtl' }],
  ['the direction of Azerbaijani in Arabic letters', '<html lang="az-Arab">', { dir: 'rtl' }],
  ['the direction of German', '<html lang="de">', { dir: 'ltr' }],
  ['a direction that is said outranks that of the language', '<html lang="ar" dir="ltr">', { dir: 'ltr' }],
  ['the direction of no language', '<p>x', { dir: null }],
]

export const checks: readonly Check[] = pages.map(([kind, html, expected]) => ({
  name: kind,
  async run() {
    const found = await parsePreview(Buffer.from(html), {
      url: 'https://notes.example.com/a',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    const fields: Expected = { ...found, image: found.image?.url ?? null, images: found.images.length }
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual(fields[field as keyof ParsedPreview], value, field)
  },
}))
