import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { ogQuery } from '../../src/assets/og/query.ts'
import { cardImage } from '../../src/client/card-image.ts'
import { cardTags } from '../../src/client/card-tags.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import type { CardParameters } from '../../src/client/types.ts'
import { fieldReader, longerReader, Mistake } from '../../src/http/field-reader.ts'
import { runtimes } from '../store/runtimes.ts'
import { randomFrom } from '../support/random.ts'
import { isEmbed, vectors, vectorsPath } from '../vectors/vectors.ts'

// Processes start slowly on a busy machine.
setDefaultTimeout(60_000)

const bundle = join(import.meta.dir, '../../client/client.js')
const pair = { key: 'mk_2345678abcdefghj', secret: 'a'.repeat(64) }

describe('the bundled client', () => {
  test('is smaller than 3 KB', () => {
    expect(Bun.file(bundle).size).toBeGreaterThan(200)
    expect(Bun.file(bundle).size).toBeLessThan(3_072)
  })

  test.each([
    ['Bun', runtimes.bun],
    ['Deno', runtimes.deno],
    ['Node', ['node']],
  ])('signs the published vectors on %s', async (_, command) => {
    const script = join(import.meta.dir, 'children/sign.mjs')
    const child = Bun.spawn([...command, script, bundle, vectorsPath], { stdout: 'pipe', stderr: 'inherit' })
    const urls: string[] = JSON.parse(await new Response(child.stdout).text())
    for (const [i, vector] of vectors.entries()) {
      if (isEmbed(vector)) expect(urls[i]).toBe(`https://mintmark.example${vector.url}`)
      else
        expect(urls[i]).toBe(
          `https://mintmark.example${vector.path}?key=mk_x&t=${vector.t}&sig=${vector.sig}`,
        )
    }
    expect(urls).toHaveLength(vectors.length)
  })
})

describe('embedUrl', () => {
  test('gives the same URL whatever order the parameters have', async () => {
    const endpoint = 'https://mintmark.example/api/og'
    const one = await embedUrl(endpoint, { title: 'A', author: 'B' }, pair, { exp: 2_000_000_000 })
    const other = await embedUrl(endpoint, { author: 'B', title: 'A' }, pair, { exp: 2_000_000_000 })
    expect(one).toBe(other)
  })

  test('takes parameters from the endpoint too, leaves undefined ones out and writes the rest as text', async () => {
    const endpoint = 'https://mintmark.example/api/transform?kind=avatar'
    const parameters = { name: 'Ada', size: 64, bold: true, seed: undefined }
    const { searchParams } = new URL(await embedUrl(endpoint, parameters, pair))
    searchParams.delete('sig')
    searchParams.delete('exp')
    expect(Object.fromEntries(searchParams)).toEqual({
      bold: 'true',
      key: pair.key,
      kind: 'avatar',
      name: 'Ada',
      size: '64',
    })
  })

  test('is good for one to two years unless another end is given, and the same in every build of a year', async () => {
    const url = await embedUrl('https://mintmark.example/api/og', { title: 'A' }, pair)
    const end = new Date(Number(new URL(url).searchParams.get('exp')) * 1000)
    expect(end.toISOString()).toBe(`${new Date().getUTCFullYear() + 2}-01-01T00:00:00.000Z`)
  })

  test('survives half of a surrogate pair', async () => {
    const url = await embedUrl('https://mintmark.example/api/og', { title: 'a\ud800' }, pair)
    expect(new URL(url).searchParams.get('title')).toBe('a\ufffd')
  })

  test('is not changed by what a browser does to a URL', async () => {
    const title = `'"<>\\^\`{|} #?&=+~* é 日本 👩‍🚀`
    const url = await embedUrl('https://mintmark.example/api/og', { title }, pair)
    expect(new URL(url).href).toBe(url)
  })
})

describe('signUrl', () => {
  test('keeps the other parameters, and signs again what was signed before', async () => {
    const first = await signUrl('https://mintmark.example/api/og?title=A%20b', pair, { t: 1 })
    const second = new URL(await signUrl(first, pair, { t: 2 }))
    expect(second.searchParams.get('title')).toBe('A b')
    expect(second.searchParams.getAll('t')).toEqual(['2'])
    expect(second.searchParams.getAll('sig')).toHaveLength(1)
  })
})

describe('wrong arguments are told by name', () => {
  const endpoint = 'https://mintmark.example/api/og'
  const hello = { title: 'Hello' }
  const now = Math.floor(Date.now() / 1000)
  // As a script without types calls it.
  // biome-ignore lint/suspicious/noExplicitAny: that is what such a script has
  const embed = embedUrl as (...words: any[]) => Promise<string>

  test.each([
    ['no pair', [endpoint, hello], 'no key'],
    ['no key', [endpoint, hello, { secret: 'b' }], 'no key'],
    ['an empty key', [endpoint, hello, { key: '', secret: 'b' }], 'no key'],
    ['no secret', [endpoint, hello, { key: 'mk_a' }], 'no secret'],
    ['no address', [`${undefined}/api/og`, hello, pair], 'not an absolute URL: undefined/api/og'],
    ['milliseconds', [endpoint, hello, pair, { exp: Date.now() + 86_400_000 }], 'exp must be unix seconds'],
    ['the past', [endpoint, hello, pair, { exp: now - 10 }], 'exp must be'],
    ['eleven years', [endpoint, hello, pair, { exp: now + 11 * 31_536_000 }], 'exp must be'],
    ['half a second', [endpoint, hello, pair, { exp: now + 1000.5 }], 'exp must be'],
    ['no number', [endpoint, hello, pair, { exp: Number.NaN }], 'exp must be'],
    [
      '81 characters',
      [endpoint, { title: 'x'.repeat(81) }, pair],
      'title must be 1 to 80 characters, not 81',
    ],
    ['nothing', [endpoint, { title: '' }, pair], 'title must be 1 to 80 characters, not 0'],
    ['blanks', [endpoint, { title: ' \n ' }, pair], 'title must be'],
    ['a page without a title', [endpoint, { title: undefined }, pair], 'title must be'],
    ['a long one in the endpoint', [`${endpoint}?author=${'x'.repeat(81)}`, hello, pair], 'author must be'],
    ['a PNG', [`${endpoint}.png`, { ...hello, subtitle: 'x'.repeat(121) }, pair], 'subtitle must be'],
    [
      'more than is cut',
      [`${endpoint}?overflow=error`, { title: 'x'.repeat(81) }, pair],
      'title must be 1 to 80 characters, not 81',
    ],
    ['a badge', [`${endpoint}/../transform?kind=badge`, { value: '' }, pair], 'value must be 1 to 200'],
    ['an avatar', ['https://a/api/transform', { kind: 'avatar', name: '' }, pair], 'name must be 1 to 128'],
  ])('embedUrl: %s', async (_, words, message) => {
    await expect(embed(...words)).rejects.toThrow(message)
  })

  test('signUrl: no key, no secret, no address', async () => {
    await expect(signUrl(endpoint, { key: '', secret: 'b' })).rejects.toThrow('no key')
    await expect(signUrl(endpoint, { key: 'mk_a', secret: '' })).rejects.toThrow('no secret')
    await expect(signUrl('/api/og', pair)).rejects.toThrow('not an absolute URL: /api/og')
  })

  test('no text that the service takes is refused, however it is spelt', async () => {
    const read = fieldReader(ogQuery.properties.title)
    const parts = [
      'x',
      ' ',
      '\t',
      '\n',
      '\u00a0',
      '\u3000',
      '\u202e',
      '\u0007',
      'e\u0301',
      '한',
      '🚀',
      '\ud800',
    ]
    const random = randomFrom(7)
    for (let round = 0; round < 2_000; round += 1) {
      const title = Array.from({ length: random.below(100) }, () => random.pick(parts)).join('')
      const isTaken = !(read(encodeURIComponent(title.toWellFormed())) instanceof Mistake)
      const isSigned = await embedUrl(endpoint, { title }, pair).then(
        () => true,
        () => false,
      )
      expect([title, isSigned]).toEqual([title, isTaken])
    }
  })
})

describe('cardTags', () => {
  const service = 'https://mintmark.example'
  const card = async (parameters: CardParameters) => {
    const { url, ...rest } = await cardImage(service, parameters, pair)
    return { ...rest, parameters: new URL(url).searchParams, path: new URL(url).pathname }
  }

  test('gives every tag that networks read, one a line, and escapes what is in them', async () => {
    const title = `"Ada" & <b>'Bob'</b>`
    const tags = await cardTags(service, { title, alt: 'A card: "x"' }, pair)
    const { url } = await cardImage(service, { title }, pair)
    const escaped = url.replaceAll('&', '&amp;')
    expect(tags.split('\n')).toEqual([
      `<meta property="og:image" content="${escaped}">`,
      '<meta property="og:image:type" content="image/png">',
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      '<meta property="og:image:alt" content="A card: &#34;x&#34;">',
      '<meta name="twitter:card" content="summary_large_image">',
      `<meta name="twitter:image" content="${escaped}">`,
      '<meta name="twitter:image:alt" content="A card: &#34;x&#34;">',
    ])
    expect(await cardTags(service, { title }, pair)).toContain(
      'alt" content="&#34;Ada&#34; &amp; &#60;b&#62;&#39;Bob&#39;&#60;/b&#62;">',
    )
  })

  test('is a PNG whatever the format, of the width that was asked for', async () => {
    const { path, parameters, ...rest } = await card({ title: 'Hello', format: 'svg', width: 601 })
    expect([path, parameters.has('format'), parameters.get('width')]).toEqual(['/api/og.png', false, '601'])
    expect(rest).toEqual({ type: 'image/png', width: 601, height: 316, alt: 'Hello' })
  })

  test.each([
    ['300 characters stay', 'x'.repeat(300), 'x'.repeat(300)],
    ['301 become 299 and an ellipsis', 'x'.repeat(301), `${'x'.repeat(299)}…`],
    ['a pair of surrogates is not separated', `${'x'.repeat(298)}🚀 and so on`, `${'x'.repeat(298)}🚀…`],
    ['blanks that nobody sees do not count', `${'x '.repeat(140)}${' '.repeat(200)}y`, undefined],
    ['marks are counted as the service counts them', 'e\u0301'.repeat(300), undefined],
  ])('a title that the service would not read is cut before: %s', async (_, title, shown) => {
    const { parameters, alt } = await card({ title })
    expect(parameters.get('title')).toBe(shown ?? title)
    expect(parameters.get('overflow')).toBe('ellipsis')
    expect(alt).toBe(title)
  })

  test('other texts are cut too, numbers are not', async () => {
    const { parameters } = await card({
      title: 'a',
      subtitle: 's'.repeat(600),
      author: 'b'.repeat(90),
      width: 300,
    })
    const lengths = ['subtitle', 'author', 'width'].map((name) => parameters.get(name)?.length)
    expect(lengths).toEqual([500, 80, 3])
  })

  test('every text that is cut is one that the service takes', async () => {
    const read = longerReader(ogQuery.properties.title) ?? fieldReader(ogQuery.properties.title)
    const random = randomFrom(9)
    const parts = ['x', ' ', '\t', '\u3000', 'e\u0301', '한', '🚀', '👩‍💻', 'ก็', '\u202e', '\ud800']
    for (let round = 0; round < 500; round += 1) {
      const title = `a${Array.from({ length: random.below(900) }, () => random.pick(parts)).join('')}`
      const { parameters } = await card({ title })
      const sent = encodeURIComponent(parameters.get('title') ?? '')
      expect([title, read(sent) instanceof Mistake]).toEqual([title, false])
    }
  })

  test('a caller who asks for errors gets them', async () => {
    const long = { title: 'x'.repeat(81), overflow: 'error' }
    await expect(cardTags(service, long, pair)).rejects.toThrow('title must be 1 to 80 characters, not 81')
  })

  test('has the extent of its size, at any width', async () => {
    const { type: _, alt: __, ...pin } = await card({ title: 'a', size: 'pin' })
    expect([pin.width, pin.height, pin.parameters.get('size')]).toEqual([1000, 1500, 'pin'])
    const square = await card({ title: 'a', size: 'square', width: 500 })
    expect([square.width, square.height]).toEqual([500, 500])
    await expect(cardTags(service, { title: 'a', size: 'round' }, pair)).rejects.toThrow('no size round')
  })

  test('a page without a title is told', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a script without types may pass it
    const untitled: any = { title: undefined }
    await expect(cardTags(service, untitled, pair)).rejects.toThrow('title must be 1 to 80 characters, not 0')
    await expect(cardTags('', { title: 'a' }, pair)).rejects.toThrow('not an absolute URL')
  })
})
