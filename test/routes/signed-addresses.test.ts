import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { addressText, payloadOf } from '../../src/lib/query-pairs.ts'
import { randomFrom } from '../support/random.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { sampleOf, sampleSize } from '../support/test-size.ts'
import cases from './crawlers.json' with { type: 'json' }

const server = started(() => startServer({ env: { KEYS_PER_IP_PER_DAY: '100' } }))

interface Pair {
  readonly id: string
  readonly secret: string
}

async function newPair(): Promise<Pair> {
  return (await fetch(`${server.url}/api/key`)).json() as Promise<Pair>
}

interface AddressOptions {
  readonly asset?: string
  readonly extension?: string
  readonly payload?: string
}

const words = { title: 'Crème & brûlée + 1 = "2"', author: 'आदा' }

function addressOf(pair: Pair, parameters: Readonly<Record<string, string>>, options: AddressOptions = {}) {
  const { asset = 'og', extension = 'svg', payload = payloadOf(Object.entries(parameters)) } = options
  const text = addressText({ asset, key: pair.id, payload, extension })
  const sig = createHmac('sha256', pair.secret).update(text).digest('hex').slice(0, 32)
  return `/i/${asset}/${pair.id}/${payload}/${sig}.${extension}`
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Sends the bytes of the target as they are. */
async function get(target: string, headers: readonly string[] = []): Promise<Answer> {
  const bytes = Buffer.from(target).toString('latin1')
  const { status, text } = await rawHttp(server.port, rawGet(bytes, `127.0.0.1:${server.port}`, headers))
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const lines = head.split('\r\n').slice(1)
  const pairs = lines.map((line): [string, string] => [
    line.split(': ')[0] ?? '',
    line.split(': ').slice(1).join(': '),
  ])
  return { status, headers: new Headers(pairs), body: rest.join('\r\n\r\n') }
}

async function usedBy({ id }: Pair): Promise<number> {
  const usage = (await (await fetch(`${server.url}/api/usage?key=${id}`)).json()) as { readonly used: number }
  return usage.used
}

/** Changes that programs on the way make to an address, each as the request that then arrives. */
const manglings: Readonly<Record<string, (path: string) => string>> = {
  nothing: (path) => path,
  'an empty query': (path) => `${path}?`,
  'a version': (path) => `${path}?v=2`,
  'a click of Facebook': (path) => `${path}?fbclid=IwAR0_x-y`,
  campaigns: (path) => `${path}?utm_source=a&amp;utm_medium=b`,
  'a query that is none': (path) => `${path}?%zz&&=`,
  'credentials of others': (path) => `${path}?key=x&sig=y&t=1&demo=1`,
  'a slash at the end': (path) => `${path}/`,
  'a slash and a query': (path) => `${path}/?x=1`,
  'a bracket': (path) => `${path})`,
  'an encoded quote and bracket': (path) => `${path}%22%3E`,
  'entities of a quote and bracket': (path) => `${path}&quot;&gt;`,
  'numeric entities': (path) => `${path}&%2334;&%23x3e;`,
  'an encoded bracket in lower case': (path) => `${path}%3c`,
  'a full stop': (path) => `${path}.`,
  'a comma and an apostrophe': (path) => `${path},'`,
  'a full-width full stop': (path) => `${path}。`,
  'a full-width full stop, encoded': (path) => `${path}%E3%80%82`,
  'a guillemet': (path) => `${path}»`,
  'an encoded space': (path) => `${path}%20`,
  'an encoded line end': (path) => `${path}%0D%0A`,
  'a bracket and a trailing slash': (path) => `${path})/`,
  'stars of Markdown': (path) => `${path}**`,
  'a backtick, encoded': (path) => `${path}%60`,
  'a hyphen of the key, encoded': (path) => path.replace('mk_', 'mk%5F'),
  'a full stop, encoded': (path) => path.replace(/\.(\w+)$/, '%2E$1'),
  'a letter of each part, encoded': (path) => path.replace(/\/(\w)/g, (_, letter) => `/${encoded(letter)}`),
  'letters encoded in lower case': (path) =>
    path.replace(/([jkmnz])/g, (letter) => encoded(letter).toLowerCase()),
  'every letter of the payload, encoded': (path) =>
    path.replace(/[\w-]+(?=\/\w+\.)/, (payload) => payload.replace(/[\w-]/g, encoded)),
  'a soft line break': (path) => `${path.slice(0, 60)}=%0D%0A${path.slice(60)}`,
  'a soft line break in lower case': (path) => `${path.slice(0, 60)}%3d%0d%0a${path.slice(60)}`,
  'an equals sign of a soft line break': (path) => `${path.slice(0, 60)}=${path.slice(60)}`,
  'a tab and a space within': (path) => `${path.slice(0, 60)}%09%20${path.slice(60)}`,
  'a soft line break within the key': (path) => path.replace('/mk_', '/mk_=%0A'),
  'a soft line break within the signature': (path) => path.replace(/(\w{5}\.\w+)$/, '=%0D%0A$1'),
}

function encoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
}

/** How crawlers of eight networks ask. */
const crawlers: Readonly<Record<string, readonly string[]>> = cases.crawlers

/** The ETag without the encoding of the body. */
function pictureOf({ status, headers }: Answer): string {
  return `${status} ${headers.get('etag')?.replace(/-(?:gzip|br|zstd)(?=")/, '')}`
}

function isRefused({ status }: Answer): boolean {
  return [308, 400, 402, 404, 431].includes(status)
}

/** The rest of a mangled address may lead to the home page. */
function isPage({ headers }: Answer): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true
}

describe('an address in the path', () => {
  test.each(
    sampleOf(
      [
        ['og', 'svg', words],
        ['og', 'png', { title: '日本語', exp: `${Math.floor(Date.now() / 1000) + 3600}` }],
        ['badge', 'svg', { value: 'passing', label: '' }],
        ['avatar', 'png', { name: 'Ada Lovelace' }],
      ] as const,
      2,
    ),
  )(
    'of %s.%s is the same picture, however it was mangled, counted once',
    async (asset, extension, parameters) => {
      const pair = await newPair()
      const path = addressOf(pair, parameters, { asset, extension })
      const first = await get(path)
      expect([first.status, first.headers.get('x-auth-mode')]).toEqual([200, 'key'])
      const wrong: string[] = []
      for (const [name, mangle] of Object.entries(manglings))
        for (const [network, headers] of sampleOf(Object.entries(crawlers), 4)) {
          const answer = await get(mangle(path), headers)
          if (pictureOf(answer) !== pictureOf(first))
            wrong.push(`${name} for ${network}: ${pictureOf(answer)}`)
        }
      expect(wrong).toEqual([])
      expect(await usedBy(pair)).toBe(1)
    },
  )

  test('is not changed to another picture by anything that is done to one of its characters', async () => {
    const pair = await newPair()
    const path = addressOf(pair, words)
    const right = pictureOf(await get(path))
    const random = randomFrom(35)
    const alphabet = [
      ...'abz059-_~./=%&;?#+,:@!$()*é。',
      '%2',
      '%41',
      '%00',
      '%2F',
      '%25',
      '&amp;',
      '..',
      '//',
      '%0A',
    ]
    const others = new Set<string>()
    const paths = Array.from({ length: sampleSize(5_000, 150) }, () => {
      let mangled = path
      for (let change = random.below(3); change >= 0; change -= 1) {
        const at = random.below(mangled.length + 1)
        const cut = random.below(3)
        mangled =
          mangled.slice(0, at) + (random.below(3) > 0 ? random.pick(alphabet) : '') + mangled.slice(at + cut)
      }
      return mangled.startsWith('/') ? mangled : `/${mangled}`
    })
    for (const mangled of paths) {
      const answer = await get(mangled)
      const isRight =
        answer.status === 200 ? isPage(answer) || pictureOf(answer) === right : isRefused(answer)
      if (!isRight) others.add(`${answer.status} ${mangled}`)
    }
    expect([...others]).toEqual([])
    expect(await usedBy(pair)).toBe(1)
  })

  test('answers HEAD and 304 in every spelling, and counts neither', async () => {
    const pair = await newPair()
    const path = addressOf(pair, words)
    const head = await fetch(`${server.url}${path}?v=1`, { method: 'HEAD' })
    expect([head.status, await usedBy(pair)]).toEqual([200, 0])
    const etag = head.headers.get('etag') ?? ''
    for (const spelling of [path, `${path}?v=1`, `${path}%22`])
      expect((await fetch(server.url + spelling, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await usedBy(pair)).toBe(0)
  })

  test('is drawn once for all its spellings', async () => {
    const path = addressOf(await newPair(), { title: 'Drawn once' }, { extension: 'png' })
    const drawings = []
    for (const spelling of [`${path}?fbclid=1`, path, `${path})`, path.replace('mk_', 'mk%5f')])
      drawings.push((await get(spelling)).headers.get('server-timing')?.replace(/;dur=[\d.]+/g, ''))
    expect(drawings).toEqual(['auth, make;desc=miss', ...Array(3).fill('auth, make;desc=hit')])
  })

  test('holds until exp, no longer fresh than that, and without exp for as long as its key', async () => {
    const pair = await newPair()
    const now = Math.floor(Date.now() / 1000)
    const control = async (exp: number) =>
      (await get(addressOf(pair, { title: 'x', exp: `${exp}` }))).headers.get('cache-control') ?? ''
    expect(Number(/max-age=(\d+)/.exec(await control(now + 900))?.[1])).toBeLessThanOrEqual(900)
    expect(await control(now + 900)).not.toContain('stale-while-revalidate')
    const lasting = await get(addressOf(pair, { title: 'x' }))
    expect(lasting.headers.get('cache-control')).toBe('public, max-age=86400, stale-while-revalidate=604800')
    const stale = await get(addressOf(pair, { title: 'x', exp: `${now - 1}` }))
    expect([stale.status, stale.body]).toEqual([402, expect.stringContaining('stale_signature')])
    const tooFar = await get(addressOf(pair, { title: 'x', exp: `${now + 11 * 366 * 86_400}` }))
    expect([tooFar.status, tooFar.body]).toEqual([402, expect.stringContaining('stale_signature')])
  })

  test('is never told to the log, with its signature or its words', async () => {
    const own = await startServer()
    const pair = (await (await fetch(`${own.url}/api/key`)).json()) as Pair
    const path = addressOf(pair, words)
    await fetch(own.url + path)
    await fetch(`${own.url}${path.slice(0, -6)}00.svg`)
    // All lines are written by then.
    await own.stop()
    const [, , , , payload = '', file = ''] = path.split('/')
    expect(own.lines.filter((line) => line['path'] === `/i/og/${pair.id}`)).toHaveLength(2)
    const logged = JSON.stringify(own.lines)
    expect([logged.includes(payload), logged.includes(file.slice(0, 26))]).toEqual([false, false])
  })
})

describe('a wrong address', () => {
  const parameters = { title: 'A wrong address' }

  async function refused(make: Make) {
    const pair = await newPair()
    const { status, body } = await get(await make(pair))
    const used = await usedBy(pair)
    const document = JSON.parse(body.replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, '')) as {
      readonly error?: string
      readonly code?: string
      readonly errors?: readonly { readonly parameter: string }[]
    }
    const parameters = document.errors?.map(({ parameter }) => parameter).join(' ') ?? ''
    const reason = parameters || document.code || document.error
    return `${status} ${reason}, ${used} counted`
  }

  function binary(bytes: readonly number[]): string {
    return Buffer.from(bytes).toString('base64url')
  }

  type Make = (pair: Pair) => string | Promise<string>
  const wrong: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
    '404 not_found': {
      'an asset that there is not': (pair) => addressOf(pair, parameters, { asset: 'ogg' }),
      'an asset that is no picture': (pair) =>
        addressOf(pair, { url: 'https://example.com' }, { asset: 'preview' }),
      'free counters': (pair) => addressOf(pair, {}, { asset: 'stats' }),
      'an extension that the asset has not': (pair) => addressOf(pair, parameters, { extension: 'gif' }),
      'the other extension of JPEG': (pair) => addressOf(pair, parameters, { extension: 'jpeg' }),
      'an extension in capital letters': (pair) => addressOf(pair, parameters).replace(/svg$/, 'SVG'),
      'a letter behind the end': (pair) => `${addressOf(pair, parameters)})x`,
      'a letter behind the end, encoded': (pair) => `${addressOf(pair, parameters)}%61`,
      'more than 64 characters behind the end': (pair) => `${addressOf(pair, parameters)}${')'.repeat(65)}`,
      'no extension': (pair) => addressOf(pair, parameters).replace(/\.svg$/, ''),
      'no signature': (pair) => addressOf(pair, parameters).replace(/\/\w+\.svg$/, '.svg'),
    },
    '400 key': {
      'a key of another form': (pair) => addressOf({ ...pair, id: 'mk_2222' }, parameters),
      'a key with a letter that keys have not': (pair) =>
        addressOf({ ...pair, id: `mk_${'l'.repeat(16)}` }, parameters),
    },
    '400 payload': {
      'a payload that is no base64url': (pair) => addressOf(pair, {}, { payload: 'a+b!' }),
      'a payload of an impossible length': (pair) => addressOf(pair, {}, { payload: 'abcde' }),
      'a payload with bits behind its end': (pair) => addressOf(pair, {}, { payload: 'dGl0bGU9eB' }),
      'a payload that is not UTF-8': (pair) => addressOf(pair, {}, { payload: binary([0x74, 0x3d, 0xff]) }),
      'a payload with half a character': (pair) =>
        addressOf(pair, {}, { payload: binary([0x74, 0x3d, 0xed, 0xa0, 0x80]) }),
      'a payload of more than 10 KiB': (pair) => addressOf(pair, { title: 'x'.repeat(10 * 1024 - 5) }),
      'an encoded slash in the payload': (pair) => addressOf(pair, parameters).replace(/(?=\/\w+\.)/, '%2F'),
      'a NUL in the payload': (pair) => addressOf(pair, parameters).replace(/(?=\/\w+\.)/, '%00'),
      'a payload encoded twice': (pair) => addressOf(pair, parameters).replace(/(?=\w\/\w+\.)/, '%2541'),
    },
    '400 title': {
      'no payload': (pair) => addressOf(pair, {}, { payload: '' }),
      'a parameter twice': (pair) =>
        addressOf(pair, {}, { payload: binary([...Buffer.from('title=a&title=b')]) }),
      'an escape for HTML in its payload': (pair) => addressOf(pair, { 'amp;title': 'x' }),
    },
    '400 signature': {
      'a signature in capital letters': (pair) =>
        addressOf(pair, parameters).replace(/\w+(?=\.svg)/, (sig) => `A${sig.slice(1)}`),
      'a short signature': (pair) => addressOf(pair, parameters).replace(/\w(?=\.svg)/, ''),
      'a whole signature': (pair) => addressOf(pair, parameters).replace(/(\w+)(?=\.svg)/, '$1$1'),
    },
    '400 key signature payload': {
      'key, payload and signature': (pair) =>
        addressOf({ ...pair, id: 'x' }, {}, { payload: '!' }).replace(/\w(?=\.svg)/, ''),
    },
    '400 theme': {
      'a parameter that the asset refuses': (pair) => addressOf(pair, { ...parameters, theme: 'none' }),
    },
    '400 format': {
      'format in its payload': (pair) => addressOf(pair, { ...parameters, format: 'svg' }),
    },
    '400 kind': {
      'kind in its payload': (pair) => addressOf(pair, { ...parameters, kind: 'badge' }),
    },
    '400 key t sig demo': {
      'credentials in its payload': (pair) =>
        addressOf(pair, { ...parameters, key: pair.id, t: '1', sig: 'a', demo: '1' }),
    },
    '400 exp': {
      'an end that is no time': (pair) => addressOf(pair, { ...parameters, exp: 'soon' }),
    },
    '402 invalid_key': {
      'an unknown key': (pair) => addressOf({ ...pair, id: `mk_${'2'.repeat(16)}` }, parameters),
    },
    '402 invalid_signature': {
      'the signature of another payload': (pair) =>
        addressOf(pair, parameters).replace(/\w+\.svg$/, addressOf(pair, { title: 'B' }).slice(-36)),
      'the signature of another extension': (pair) =>
        addressOf(pair, parameters, { extension: 'png' }).replace(/png$/, 'svg'),
      'the signature of another asset': (pair) =>
        addressOf(pair, { name: 'a', value: 'a' }, { asset: 'badge' }).replace('/badge/', '/avatar/'),
      'the signature of another key': async (pair) =>
        addressOf({ ...pair, id: (await newPair()).id }, parameters),
    },
  }
  const rows = Object.entries(wrong).flatMap(([reason, makes]) =>
    Object.entries(makes).map(([name, make]) => [name, reason, make] as const),
  )

  test.each(rows)('with %s is %s, and counts nothing', async (_, reason, make) => {
    expect(await refused(make)).toBe(`${reason}, 0 counted`)
  })

  test('never gets further than the limit of a request', async () => {
    const answer = await get(addressOf(await newPair(), { title: 'x'.repeat(20_000) }))
    expect([413, 414, 431]).toContain(answer.status)
  })

  test('does not answer another method', async () => {
    const address = server.url + addressOf(await newPair(), parameters)
    const answer = await fetch(address, { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})
