import { describe, expect, test } from 'bun:test'
import { parsePreview } from '../../../src/assets/preview/page-parser.ts'
import { openPageText, originalPage, writeTags } from '../../../src/cli/cards/page-markup.ts'
import { pageTags } from '../../../src/cli/cards/write-pages.ts'
import { randomFrom } from '../../support/random.ts'
import { sampleSize, slowTest } from '../../support/test-size.ts'
import { randomBytes } from './random-page.ts'
import places from './tag-places.json' with { type: 'json' }

const url = 'https://a.example/og/0123456789abcdef0123456789abcdef.png'

function tagsFor(title: string): readonly string[] {
  const card = { url, mediaType: 'image/png', widthPx: 1200, heightPx: 630, alt: title, title }
  const rest = { description: undefined, lang: 'en', otherLanguages: ['de'], creator: undefined }
  return pageTags({ ...card, ...rest }, [], false)
}

const tags = tagsFor('“Quotes” & <tags> für 日本語 🎉')

function open(bytes: Uint8Array) {
  return originalPage(openPageText(bytes))
}

function written(page: string, withTags = tags): string {
  return Buffer.from(writeTags(open(Buffer.from(page)), withTags, [])).toString()
}

const source = { url: 'https://a.example/x', headers: { 'content-type': 'text/html' } }

describe('of any page', () => {
  const seeds = Array.from({ length: sampleSize(1500, 300) }, (_, seed) => seed)

  test('what is written is the page byte for byte once its tags are taken out again', () => {
    for (const seed of seeds) {
      const bytes = randomBytes(randomFrom(seed))
      const out = writeTags(open(bytes), tags, [])
      const { page } = open(out)
      const [back, before] = [page.bytesOf(page.text), bytes].map((each) =>
        Buffer.from(each).toString('latin1'),
      )
      expect(back, `seed ${seed}`).toBe(before)
    }
  })

  test('a second run finds the tags, and writes the same bytes', () => {
    for (const seed of seeds) {
      const out = writeTags(open(randomBytes(randomFrom(seed))), tags, [])
      const again = open(out)
      if (again.tags.join() !== tags.join()) expect({ seed, tags: again.tags }).toEqual({ seed, tags })
      if (Buffer.compare(writeTags(again, tags, []), out) !== 0) expect({ seed }).toBeUndefined()
    }
  })

  slowTest('our preview reads the picture from what was written', async () => {
    for (const seed of seeds) {
      const out = writeTags(open(randomBytes(randomFrom(seed))), tags, [])
      const { image } = await parsePreview(out, source)
      if (image?.url !== url) expect({ seed, image, page: Buffer.from(out).toString() }).toBeUndefined()
    }
  })
})

test('tags behind a long text are found, wherever the page is cut to be read', () => {
  const pages = Array.from({ length: 200 }, (_, chars) => `<p>${'x'.repeat(4_000 + chars)}${tags[0]}</p>`)
  expect(pages.filter((page) => open(Buffer.from(page)).tags.join() !== tags[0])).toEqual([])
})

describe('tags stand where people would write them', () => {
  const one = [
    '<meta property="og:image" content="x" data-mintmark>',
    '<meta name="twitter:card" content="y" data-mintmark>',
  ]
  const [first = '', second = ''] = one

  test.each(places as [string, string, string][])('%s', (_, page, expected) => {
    expect(written(page, one)).toBe(expected.replace('{first}', first).replace('{second}', second))
  })
})

test('tags are ASCII, so that they mean the same in every charset', () => {
  expect(tags.join('')).toMatch(/^[ -~]*$/)
  expect(tags[4]).toBe(
    '<meta property="og:image:alt" content="&#8220;Quotes&#8221; &amp; &#60;tags&#62; f&#252;r &#26085;&#26412;&#35486; &#127881;" data-mintmark>',
  )
})

test.each(['windows-1251', 'shift_jis', 'gb18030', 'iso-2022-jp'])(
  'in a page in %s only bytes are inserted',
  async (charset) => {
    const texts: Readonly<Record<string, readonly number[]>> = {
      'windows-1251': [0xcc, 0xe8, 0xf0],
      // The second byte of both is an ASCII character.
      shift_jis: [0x83, 0x5c, 0x83, 0x7c],
      gb18030: [0x81, 0x30, 0x81, 0x30, 0x8c, 0x5c],
      // Between the escape sequences: `<` and `"`, which are no markup there.
      'iso-2022-jp': [0x1b, 0x24, 0x42, 0x3c, 0x22, 0x25, 0x3c, 0x1b, 0x28, 0x42],
    }
    const title = Buffer.from(texts[charset] ?? [])
    const page = Buffer.concat([
      Buffer.from(`<html><head><meta charset="${charset}"><title>`),
      title,
      Buffer.from('</title></head><body></body></html>'),
    ])
    const out = Buffer.from(writeTags(open(page), tags, []))
    const at = page.indexOf('</head>')
    expect(out.subarray(0, at).equals(page.subarray(0, at))).toBe(true)
    expect(out.subarray(out.length - (page.length - at)).equals(page.subarray(at))).toBe(true)
    const preview = await parsePreview(out, source)
    expect(preview.charset.encoding).toBe(charset)
    expect(preview.image?.url).toBe(url)
    expect(preview.image?.alt).toBe('“Quotes” & <tags> für 日本語 🎉')
  },
)
