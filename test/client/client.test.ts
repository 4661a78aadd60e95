import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { liveNames } from '../../src/assets/badge/live/source.ts'
import { formats } from '../../src/assets/kit/formats.ts'
import { ogQuery } from '../../src/assets/og/query.ts'
import { assets } from '../../src/catalog.ts'
import { cardImage, cardTags } from '../../src/client/card-tags.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import { parameterForms } from '../../src/client/parameter-forms.ts'
import { parameterRules } from '../../src/client/parameter-rules.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import type { CardParameters } from '../../src/client/types.ts'
import { fieldReader, longerReader, Mistake } from '../../src/http/query.ts'
import { createRequestParser } from '../../src/http/request-parser.ts'
import { runtimes } from '../store/runtimes.ts'
import { randomFrom } from '../support/random.ts'
import { readAddress } from '../support/read-address.ts'
import { addressesPath, addressVectors } from '../vectors/addresses.ts'
import { isEmbed, vectors, vectorsPath } from '../vectors/vectors.ts'
import wrongPairs from './wrong-pairs.json' with { type: 'json' }
import wrongParameters from './wrong-parameters.json' with { type: 'json' }

const bundle = join(import.meta.dir, '../../client/client.js')
const pair = { key: 'mk_2345678abcdefghj', secret: 'a'.repeat(64) }

describe('the bundled client', () => {
  test('is smaller than 6 KB after gzip', async () => {
    const bytes = Bun.gzipSync(await Bun.file(bundle).bytes()).byteLength
    expect(bytes).toBeGreaterThan(200)
    expect(bytes).toBeLessThan(6_000)
  })

  test('in a script on Node that does not catch it, a refusal is printed without the code of the client', async () => {
    const call = `embedUrl('https://a.example/api/og', { title: 'A', theme: 'x' }, ${JSON.stringify(pair)})`
    const script = `import { embedUrl } from '${bundle}'\nawait ${call}`
    const child = Bun.spawn(['node', '--input-type=module', '-e', script], { stderr: 'pipe' })
    const said = await new Response(child.stderr).text()
    expect(said).toContain('TypeError: mintmark: theme must be one of aurora')
    expect(said.length).toBeLessThan(1_000)
  })

  const programs = [
    ['Bun', runtimes.bun],
    ['Deno', runtimes.deno],
    ['Node', ['node']],
  ] as const

  async function signedBy(command: readonly string[], path: string): Promise<(string | null)[]> {
    const script = join(import.meta.dir, 'children/sign.mjs')
    const child = Bun.spawn([...command, script, bundle, path], { stdout: 'pipe', stderr: 'inherit' })
    return JSON.parse(await new Response(child.stdout).text())
  }

  test.each(programs)('signs the published vectors on %s', async (_, command) => {
    const urls = await signedBy(command, vectorsPath)
    for (const [i, vector] of vectors.entries()) {
      if (isEmbed(vector)) expect(urls[i]).toBe(`https://mintmark.example${vector.url}`)
      else
        expect(urls[i]).toBe(
          `https://mintmark.example${vector.path}?key=${pair.key}&t=${vector.t}&sig=${vector.sig}`,
        )
    }
    expect(urls).toHaveLength(vectors.length)
  })

  test.each(programs)('signs the published addresses on %s', async (_, command) => {
    const urls = await signedBy(command, addressesPath)
    for (const [i, { name, asset, address }] of addressVectors.vectors.entries()) {
      if (asset === 'card') expect([name, urls[i]]).toEqual([name, null])
      else expect([name, urls[i]]).toEqual([name, `https://mintmark.example${address}`])
    }
    expect(urls).toHaveLength(addressVectors.vectors.length)
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
    const address = readAddress(await embedUrl(endpoint, parameters, pair))
    expect({ ...address, parameters: [...address.parameters] }).toEqual({
      service: 'https://mintmark.example',
      asset: 'avatar',
      key: pair.key,
      parameters: [
        ['bold', 'true'],
        ['name', 'Ada'],
        ['size', '64'],
      ],
      ext: 'svg',
    })
  })

  test.each([
    ['/api/og', {}, 'svg'],
    ['/api/og.png', {}, 'png'],
    ['/api/og.jpg', {}, 'jpg'],
    ['/api/og', { format: 'jpeg' }, 'jpg'],
    ['/api/og.png', { format: 'webp' }, 'webp'],
  ] as const)('the end of an address is the format of %s with %j', async (path, format, ext) => {
    const url = await embedUrl(`https://mintmark.example${path}`, { title: 'A', ...format }, pair)
    const address = readAddress(url)
    expect([address.ext, [...address.parameters.keys()]]).toEqual([ext, ['title']])
  })

  test('a service may have a path of its own', async () => {
    const url = await embedUrl('https://example.com/mint/api/og.png', { title: 'A' }, pair)
    expect(readAddress(url)).toMatchObject({ service: 'https://example.com/mint', asset: 'og' })
    const root = await embedUrl('https://example.com/api/og.png', { title: 'A' }, pair)
    expect(url.slice(url.indexOf('/i/'))).toBe(root.slice(root.indexOf('/i/')))
    const card = await cardImage('https://example.com/mint/', { title: 'A' }, pair)
    expect(readAddress(card.url).service).toBe('https://example.com/mint')
    for (const sign of [
      (endpoint: string) => embedUrl(endpoint, { title: 'A' }, pair, { form: 'query' }),
      (endpoint: string) => signUrl(endpoint, pair, { t: 1_795_219_371 }),
    ]) {
      const below = new URL(await sign('https://example.com/mint/api/og.png'))
      const above = new URL(await sign('https://example.com/api/og.png'))
      expect([below.pathname, below.search]).toEqual(['/mint/api/og.png', above.search])
    }
  })

  test('without an end an address holds for as long as the key, and every build gives the same', async () => {
    const url = await embedUrl('https://mintmark.example/api/og', { title: 'A' }, pair)
    expect([...readAddress(url).parameters.keys()]).toEqual(['title'])
    const ended = await embedUrl('https://mintmark.example/api/og', { title: 'A' }, pair, {
      exp: 2_000_000_000,
    })
    expect(readAddress(ended).parameters.get('exp')).toBe('2000000000')
  })

  test('the longest texts of a card fit into an address, in scripts of many bytes too', async () => {
    for (const letter of ['न', '語', 'ب']) {
      const texts = { title: letter.repeat(300), subtitle: letter.repeat(500), overflow: 'ellipsis' } as const
      const url = await embedUrl('https://mintmark.example/api/og.png', texts, pair)
      expect(readAddress(url).parameters.get('subtitle')).toBe(texts.subtitle)
    }
  })

  test('what is no picture, or has a parameter twice, has the query form', async () => {
    const service = 'https://mintmark.example'
    const urls = await Promise.all([
      embedUrl(`${service}/api/preview`, { url: 'https://example.com/' }, pair),
      embedUrl(`${service}/api/badge`, { value: 'a', format: 'json' }, pair),
      embedUrl(`${service}/api/badge`, { value: 'a', link: ['https://a/', 'https://b/'] }, pair),
    ])
    for (const url of urls) expect(new URL(url).searchParams.get('sig')).toMatch(/^[\da-f]{64}$/)
    const asked = embedUrl(`${service}/api/sitemap`, { domain: 'example.com' }, pair, { form: 'path' })
    await expect(asked).rejects.toThrow('form must be path or query, and query for what is no picture')
  })

  test('in the query form it is good for one to two years unless another end is given, and the same in every build of a year', async () => {
    const url = await embedUrl('https://mintmark.example/api/og', { title: 'A' }, pair, { form: 'query' })
    const end = new Date(Number(new URL(url).searchParams.get('exp')) * 1000)
    expect(end.toISOString()).toBe(`${new Date().getUTCFullYear() + 2}-01-01T00:00:00.000Z`)
  })

  test('survives half of a surrogate pair', async () => {
    const url = await embedUrl('https://mintmark.example/api/og', { title: 'a\ud800' }, pair)
    expect(readAddress(url).parameters.get('title')).toBe('a\ufffd')
  })

  test.each(['path', 'query'] as const)(
    'the %s form is not changed by what a browser does to a URL',
    async (form) => {
      const title = `'"<>\\^\`{|} #?&=+~* é 日本 👩‍🚀`
      const url = await embedUrl('https://mintmark.example/api/og', { title }, pair, { form })
      expect(new URL(url).href).toBe(url)
    },
  )
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
  // Called with any arguments, as by a script without types.
  // biome-ignore lint/suspicious/noExplicitAny: that is what such a script has
  const embed = embedUrl as (...words: any[]) => Promise<string>

  test.each([
    ...(wrongParameters as [string, string, object, string][]).map(
      ([what, called, parameters, message]) => [what, [called, parameters, pair], message] as const,
    ),
    ...(wrongPairs as [string, object, string][]).map(
      ([what, wrong, message]) => [what, [endpoint, hello, { ...pair, ...wrong }], message] as const,
    ),
    ['no pair', [endpoint, hello], 'no key'],
    ['no key', [endpoint, hello, { secret: pair.secret }], 'no key'],
    ['no secret', [endpoint, hello, { key: pair.key }], 'no secret'],
    [
      'everything at once',
      [endpoint, { theme: 'x', autor: 'Ada' }, pair],
      /autor; title must be .*; theme must be one of/,
    ],
    [
      'a long address',
      [endpoint, { title: '🚀'.repeat(80), logo: `data:image/png;base64,${'A'.repeat(8_000)}` }, pair],
      /the address has \d+ characters; at most 8000/,
    ],
    ['milliseconds', [endpoint, hello, pair, { exp: Date.now() + 86_400_000 }], 'exp must be unix seconds'],
    ['the past', [endpoint, hello, pair, { exp: now - 10 }], 'exp must be'],
    ['eleven years', [endpoint, hello, pair, { exp: now + 11 * 31_536_000 }], 'exp must be'],
    ['half a second', [endpoint, hello, pair, { exp: now + 1000.5 }], 'exp must be'],
    ['no number', [endpoint, hello, pair, { exp: Number.NaN }], 'exp must be'],
    ['a form that is none', [endpoint, hello, pair, { form: 'paht' }], 'form must be path or query'],
    ['an option that is none', [endpoint, hello, pair, { expires: 1 } as object], 'no option expires'],
    ['a page without a title', [endpoint, { title: undefined }, pair], 'title must be'],
  ])('embedUrl: %s', async (_, words, message) => {
    await expect(embed(...words)).rejects.toThrow(message)
  })

  test('signUrl: no key, no secret, no address', async () => {
    await expect(signUrl(endpoint, { ...pair, key: '' })).rejects.toThrow('no key')
    await expect(signUrl(endpoint, { ...pair, secret: '' })).rejects.toThrow('no secret')
    await expect(signUrl(endpoint, { ...pair, secret: 'b' })).rejects.toThrow('secret must be 64 hex')
    await expect(signUrl(endpoint, pair, { t: Date.now() })).rejects.toThrow('t must be unix seconds')
    await expect(signUrl('/api/og', pair)).rejects.toThrow('not an absolute URL: /api/og')
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'])(
    'a name that every object has is no name of ours: %s',
    async (name) => {
      const own = (value: unknown) => JSON.parse(`{ "title": "A", "${name}": ${JSON.stringify(value)} }`)
      await expect(embed(endpoint, own('x'), pair)).rejects.toThrow(`mintmark: og has no parameter ${name}`)
      expect(readAddress(await embed(endpoint, own('x'), pair, { check: false })).parameters.get(name)).toBe(
        'x',
      )
      await expect(embed(endpoint, hello, pair, own('x'))).rejects.toThrow('no option title')
      for (const [call, message] of [
        [embed(`https://a.example/api/${name}`, hello, pair), 'is no endpoint'],
        [embed('https://a.example/api/transform', { ...hello, kind: name }, pair), 'is no endpoint'],
        [embed(endpoint, { ...hello, format: name }, pair), 'format must be one of svg'],
        [embed(endpoint, { ...hello, theme: name }, pair), 'theme must be one of aurora'],
        [
          cardTags('https://a.example', { ...hello, format: name } as never, pair),
          'format must be one of svg',
        ],
        [cardTags('https://a.example', { ...hello, size: name } as never, pair), 'size must be one of og'],
      ] as const)
        await expect(call).rejects.toThrow(message)
    },
  )

  const { secret } = pair
  test.each<[string, readonly unknown[]]>([
    ['in quotes', [endpoint, hello, { ...pair, secret: `"${secret}"` }]],
    ['in upper case', [endpoint, hello, { ...pair, secret: secret.toUpperCase() }]],
    ['in the place of the key', [endpoint, hello, { key: secret, secret: pair.key }]],
    ['as a part of the key', [endpoint, hello, { key: `mk_${secret}`, secret }]],
    ['in the place of the endpoint', [secret, hello, pair]],
    ['in the endpoint', [`https://a.example/${secret}/api/x`, hello, pair]],
    ['as a title', [endpoint, { title: secret.repeat(2) }, pair]],
    ['as a theme', [endpoint, { ...hello, theme: secret }, pair]],
    ['as a colour', [endpoint, { ...hello, accent: secret }, pair]],
    ['as a name', [endpoint, { ...hello, [secret]: 'x' }, pair]],
    ['as a form', [endpoint, hello, pair, { form: secret }]],
    ['as an end', [endpoint, hello, pair, { exp: secret }]],
    ['as an option', [endpoint, hello, pair, { [secret]: 1 }]],
  ])('no message repeats a secret: %s', async (_, words) => {
    const message = await embed(...words).catch(String)
    expect(message).toStartWith('TypeError: mintmark: ')
    expect(message.toLowerCase()).not.toContain(secret.slice(0, 20))
  })

  test('no text that the service takes is refused for its form', () => {
    const colours =
      '#fff FFF #ffff a1b2c3 #A1B2C3FF RebeccaPurple brightgreen Passing gray lightgray lightgrey'
    const words = 'auto random 0:passing github Node.js acme a-1@12 x transparent #12345680 blurple'
    const tags = 'en zh-Hant de-CH-1996 x-whatever i-klingon https://a.example/ mailto:a@b.example'
    const texts = [
      ...`${colours} ${words} ${tags} ms_23456789abcdefgh $.a $ a_1-b`.split(' '),
      ...['rgb(1 2 3)', 'hsl(262 83% 58% / 1)', 'hwb(1,2%,3%)', ' red ', ' HTTP://a.example'],
      ...['0:red,50:yellow,80:green', ' +1.5 : #fff , -2:rgb(1 2 3)'],
      ...['data:image/png;base64,iVBORw0KGgo=', 'data:image/svg+xml;base64,PHN2Zz 4='],
    ]
    const wrong = Object.entries(formats).flatMap(([name, { parse }]) =>
      texts.filter((text) => parse(text) !== undefined && !parameterForms[name]?.[0].test(text)),
    )
    expect(wrong).toEqual([])
    expect(Object.keys(parameterForms).toSorted()).toEqual(Object.keys(formats).toSorted())
  })

  test('check: false leaves what the client does not know to the service', async () => {
    const url = await embed(endpoint, { ...hello, next: 'x' }, pair, { check: false })
    expect(readAddress(url).parameters.get('next')).toBe('x')
    await expect(embed(endpoint, { title: 'x'.repeat(81) }, pair, { check: false })).rejects.toThrow(
      'title must',
    )
  })

  test('what is refused is what the service refuses, for every parameter of every asset', async () => {
    const parser = createRequestParser(
      assets.map((asset) => ({ asset, producer: { describe: never, produce: never } })),
    )
    const random = randomFrom(3)
    const values = ' 0 1 -1 2 40.5 100 300 2401 auto true yes png jpeg paper light flat'.split(' ')
    values.push('x'.repeat(400))
    const outcomes = { taken: 0, refused: 0 }
    for (const asset of assets.filter(({ id }) => id in parameterRules)) {
      const names = Object.keys(parameterRules[asset.id] ?? {})
      for (let round = 0; round < 400; round += 1) {
        const parameters: Record<string, string> = { ...asset.example }
        const name = random.pick(names)
        const found = parameterRules[asset.id]?.[name] ?? {}
        const { oneOf = [], chars, range, formats } = typeof found === 'string' ? {} : found
        // Leaves out parameters that only the service can judge: formats of its own, and rules over several texts.
        if ((!chars && !range && oneOf.length === 0) || name === 'domain' || liveNames.includes(name))
          continue
        const format = formats && random.pick([...formats, 'svg'])
        parameters[name] = random.pick([...values, ...oneOf, ...(range ?? []).map(String)])
        if (format && name !== 'format' && asset.id === 'og') parameters['format'] = format
        const rawQuery = new URLSearchParams(parameters).toString()
        const isTaken = attempt(() => parser.read({ path: asset.path, rawQuery, logFields: {} }))
        const isSigned = await embed(`https://mintmark.example${asset.path}`, parameters, pair).then(
          () => true,
          () => false,
        )
        expect([asset.id, parameters, isSigned]).toEqual([asset.id, parameters, isTaken])
        outcomes[isTaken ? 'taken' : 'refused'] += 1
      }
    }
    expect(outcomes.taken).toBeGreaterThan(200)
    expect(outcomes.refused).toBeGreaterThan(200)
  })

  function never(): never {
    throw new Error('Nothing is drawn here.')
  }

  function attempt(work: () => unknown): boolean {
    try {
      work()
      return true
    } catch {
      return false
    }
  }

  test('no text that the service takes is refused, however it is spelt', async () => {
    const read = fieldReader(ogQuery.properties.title)
    const parts = [...'x \t\n\u00a0\u3000\u202e\u0007한🚀', 'e\u0301', '\ud800']
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

describe('plugins', () => {
  const given = { url: 'https://mintmark.example', ...pair, exp: 2_000_000_000 }

  test('Eleventy and Next obey format, and take a JPEG for a brand', async () => {
    const { default: eleventy } = await import('../../client/eleventy.js')
    const { cardMetadata } = await import('../../client/next.js')
    const tags = await new Promise<string>((resolve) =>
      eleventy({ addAsyncShortcode: (_, callback) => resolve(callback('Hello', { format: 'webp' })) }, given),
    )
    expect(tags).toContain('<meta property="og:image:type" content="image/webp">')
    const { openGraph } = await cardMetadata({ title: 'Hello', brand: 'acme' }, given)
    expect(openGraph.images[0]?.type).toBe('image/jpeg')
  })

  test('a member that is none of a service is told', async () => {
    const { cardMetadata } = await import('../../client/next.js')
    // A script without types can pass such a value.
    const wrong = { ...given, theme: 'paper' } as typeof given
    await expect(cardMetadata({ title: 'Hello' }, wrong)).rejects.toThrow('theme is not one of url, key,')
  })
})

describe('cardTags', () => {
  const service = 'https://mintmark.example'
  const card = async (parameters: CardParameters) => {
    const { url, ...rest } = await cardImage(service, parameters, pair)
    const { parameters: given, ext } = readAddress(url)
    return { ...rest, parameters: given, ext }
  }

  test('gives every tag that networks read, one a line, and escapes what is in them', async () => {
    const title = `"Ada" & <b>'Bob'</b>`
    const tags = await cardTags(service, { title, alt: 'A card: "x"' }, pair)
    const { url } = await cardImage(service, { title }, pair)
    expect(tags.split('\n')).toEqual([
      `<meta property="og:image" content="${url}">`,
      '<meta property="og:image:type" content="image/png">',
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      '<meta property="og:image:alt" content="A card: &#34;x&#34;">',
      '<meta name="twitter:card" content="summary_large_image">',
      `<meta name="twitter:image" content="${url}">`,
      '<meta name="twitter:image:alt" content="A card: &#34;x&#34;">',
    ])
    const expected = 'alt" content="&#34;Ada&#34; &amp; &#60;b&#62;&#39;Bob&#39;&#60;/b&#62;">'
    expect(await cardTags(service, { title }, pair)).toContain(expected)
  })

  test('is a PNG unless another format is given, of the width that was asked for', async () => {
    const { ext, parameters, ...rest } = await card({ title: 'Hello', width: 601 })
    expect([ext, parameters.has('format'), parameters.get('width')]).toEqual(['png', false, '601'])
    expect(rest).toEqual({ type: 'image/png', width: 601, height: 316, alt: 'Hello' })
  })

  test.each([
    ['jpeg', 'jpg', 'image/jpeg'],
    ['webp', 'webp', 'image/webp'],
    ['svg', 'svg', 'image/svg+xml'],
  ] as const)('obeys format %s', async (format, expectedExt, expectedType) => {
    const { ext, type, parameters } = await card({ title: 'Hello', format })
    expect([ext, type, parameters.has('format')]).toEqual([expectedExt, expectedType, false])
  })

  test('is a JPEG with a brand, which may stand on a photograph, unless another format is given', async () => {
    const branded = await card({ title: 'Hello', brand: 'acme' })
    expect([branded.ext, branded.type]).toEqual(['jpg', 'image/jpeg'])
    const asPng = await card({ title: 'Hello', brand: 'acme', format: 'png' })
    expect([asPng.ext, asPng.type]).toEqual(['png', 'image/png'])
  })

  test('an overflow that a template left undefined counts as none', async () => {
    const { parameters } = await card({ title: 'x'.repeat(200), overflow: undefined })
    expect(parameters.get('overflow')).toBe('ellipsis')
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
    const long = { title: 'x'.repeat(81), overflow: 'error' } as const
    await expect(cardTags(service, long, pair)).rejects.toThrow('title must be 1 to 80 characters, not 81')
  })

  test('has the extent of its size, at any width', async () => {
    const { type: _, alt: __, ...pin } = await card({ title: 'a', size: 'pin' })
    expect([pin.width, pin.height, pin.parameters.get('size')]).toEqual([1000, 1500, 'pin'])
    const square = await card({ title: 'a', size: 'square', width: 500 })
    expect([square.width, square.height]).toEqual([500, 500])
    // biome-ignore lint/suspicious/noExplicitAny: a script without types may pass it
    const round: any = { title: 'a', size: 'round' }
    await expect(cardTags(service, round, pair)).rejects.toThrow('size must be one of og, github, x,')
  })

  test('a page without a title is told', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a script without types may pass it
    const untitled: any = { title: undefined }
    await expect(cardTags(service, untitled, pair)).rejects.toThrow('title must be 1 to 80 characters, not 0')
    await expect(cardTags('', { title: 'a' }, pair)).rejects.toThrow('not an absolute URL')
  })
})
