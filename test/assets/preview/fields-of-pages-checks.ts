import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createPageParser, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { PageFields } from '../../../src/assets/preview/preview.ts'
import type { Check } from '../../support/check.ts'

interface PageGroup {
  readonly title: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pages: readonly {
    readonly name: string
    readonly url?: string
    readonly html: string
    /** Fields of its preview: a picture as its URL or whole, pictures whole or as their number. */
    readonly expected: Partial<Record<keyof PageFields, unknown>>
  }[]
}

const file = new URL('../../fixtures/preview/fields-of-pages.json', import.meta.url)
const groups: readonly PageGroup[] = JSON.parse(readFileSync(file, 'utf8'))

export const checks: readonly Check[] = [
  ...groups.flatMap(({ title, headers, pages }) =>
    pages.map(
      ({ name, url = 'https://site.example.com/a', html, expected }): Check => ({
        name: `${title}: ${name}`,
        async run() {
          const found = await parsePreview(Buffer.from(html), {
            url,
            headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
          })
          const fields = {
            ...found,
            ...(typeof expected.image === 'string' && { image: found.image?.url ?? null }),
            ...(typeof expected.images === 'number' && { images: found.images.length }),
          }
          for (const [field, value] of Object.entries(expected))
            assert.deepEqual(fields[field as keyof PageFields], value, field)
        },
      }),
    ),
  ),
  {
    name: 'what a page says at its end is in the preview, however much its head says',
    async run() {
      const head =
        '<title>Grain</title><meta property="og:description" content="About grain and harbours"><meta property="og:image" content="/i.png"><meta name="author" content="Ann Lee"><meta property="article:published_time" content="2020-02-03">'
      const body = `</head><body>${'<p>grain</p>'.repeat(1_000)}<video src="/v.mp4"></video><script type="application/ld+json">{"@type":"NewsArticle","dateModified":"2020-02-05","publisher":{"logo":"/logo.png"}}</script>`
      const parser = createPageParser({
        url: 'https://site.example.com/',
        headers: {},
        contentType: 'text/html',
      })
      const bytes = Buffer.from(head + body)
      for (let at = 0; at < bytes.length; at += 4_096)
        if (!(await parser.write(bytes.subarray(at, at + 4_096)))) break
      const { fields } = await parser.finish()
      assert.equal(fields.logo, 'https://site.example.com/logo.png')
      assert.equal(fields.modified, '2020-02-05')
      assert.equal(fields.videos[0]?.url, 'https://site.example.com/v.mp4')
    },
  },
  {
    name: 'a page of UTF-8 is read as that, whatever single-byte charset its header names',
    async run() {
      const html = `<title>Größe und Übermaß, Äpfel und Öl: «Привет»</title>`
      for (const charset of ['windows-1251', 'iso-8859-2', 'koi8-r']) {
        const got = await parsePreview(Buffer.from(html), {
          url: 'https://site.example.com/a',
          headers: { 'content-type': `text/html; charset=${charset}` },
        })
        assert.equal(got.title, 'Größe und Übermaß, Äpfel und Öl: «Привет»')
        assert.equal(got.charset.encoding, 'utf-8')
      }
    },
  },
]
