import { describe, expect, test } from 'bun:test'
import type { KeyPair } from '../../src/client/types.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { randomFrom } from '../support/random.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { signAddress } from '../support/sign-address.ts'
import { started } from '../support/started.ts'
import { sampleOf, sampleSize } from '../support/test-size.ts'
import cases from './signed-addresses.json' with { type: 'json' }

const server = started(() => startServer({ env: { KEYS_PER_IP_PER_DAY: '100' } }))

const words = { title: 'Crème & brûlée + 1 = "2"', author: 'आदा' }

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

async function usedBy({ key }: KeyPair): Promise<number> {
  return (await (await fetch(`${server.url}/api/usage?key=${key}`)).json()).used
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
      const pair = await issueKeyPair(server)
      const path = signAddress(pair, parameters, { asset, extension })
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
    const pair = await issueKeyPair(server)
    const path = signAddress(pair, words)
    const right = pictureOf(await get(path))
    const random = randomFrom(35)
    const alphabet = [...cases.alphabet, ...'abz059-_~./=%&;?#+,:@!$()*é。']
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
    const pair = await issueKeyPair(server)
    const path = signAddress(pair, words)
    const head = await fetch(`${server.url}${path}?v=1`, { method: 'HEAD' })
    expect([head.status, await usedBy(pair)]).toEqual([200, 0])
    const etag = head.headers.get('etag') ?? ''
    for (const spelling of [path, `${path}?v=1`, `${path}%22`])
      expect((await fetch(server.url + spelling, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await usedBy(pair)).toBe(0)
  })

  test('is drawn once for all its spellings', async () => {
    const path = signAddress(await issueKeyPair(server), { title: 'Drawn once' }, { extension: 'png' })
    const drawings = []
    for (const spelling of [`${path}?fbclid=1`, path, `${path})`, path.replace('mk_', 'mk%5f')])
      drawings.push((await get(spelling)).headers.get('server-timing')?.replace(/;dur=[\d.]+/g, ''))
    expect(drawings).toEqual(['auth, make;desc=miss', ...Array(3).fill('auth, make;desc=hit')])
  })

  test('holds until exp, no longer fresh than that, and without exp for as long as its key', async () => {
    const pair = await issueKeyPair(server)
    const now = Math.floor(Date.now() / 1000)
    const control = async (exp: number) =>
      (await get(signAddress(pair, { title: 'x', exp: `${exp}` }))).headers.get('cache-control') ?? ''
    expect(Number(/max-age=(\d+)/.exec(await control(now + 900))?.[1])).toBeLessThanOrEqual(900)
    expect(await control(now + 900)).not.toContain('stale-while-revalidate')
    const lasting = await get(signAddress(pair, { title: 'x' }))
    expect(lasting.headers.get('cache-control')).toBe('public, max-age=86400, stale-while-revalidate=604800')
    const stale = await get(signAddress(pair, { title: 'x', exp: `${now - 1}` }))
    expect([stale.status, stale.body]).toEqual([402, expect.stringContaining('stale_signature')])
    const tooFar = await get(signAddress(pair, { title: 'x', exp: `${now + 11 * 366 * 86_400}` }))
    expect([tooFar.status, tooFar.body]).toEqual([402, expect.stringContaining('stale_signature')])
  })

  test('is never told to the log, with its signature or its words', async () => {
    const own = await startServer()
    const pair = await issueKeyPair(own)
    const path = signAddress(pair, words)
    await fetch(own.url + path)
    await fetch(`${own.url}${path.slice(0, -6)}00.svg`)
    // All lines are written by then.
    await own.stop()
    const [, , , , payload = '', file = ''] = path.split('/')
    expect(own.lines.filter((line) => line['path'] === `/i/og/${pair.key}`)).toHaveLength(2)
    const logged = JSON.stringify(own.lines)
    expect([logged.includes(payload), logged.includes(file.slice(0, 26))]).toEqual([false, false])
  })
})

describe('a wrong address', () => {
  const parameters = { title: 'A wrong address' }

  async function refused(make: Make) {
    const pair = await issueKeyPair(server)
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

  type Make = (pair: KeyPair) => string | Promise<string>
  const wrong: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
    '404 not_found': {
      'an asset that there is not': (pair) => signAddress(pair, parameters, { asset: 'ogg' }),
      'an asset that is no picture': (pair) =>
        signAddress(pair, { url: 'https://example.com' }, { asset: 'preview' }),
      'free counters': (pair) => signAddress(pair, {}, { asset: 'stats' }),
      'an extension that the asset has not': (pair) => signAddress(pair, parameters, { extension: 'gif' }),
      'the other extension of JPEG': (pair) => signAddress(pair, parameters, { extension: 'jpeg' }),
      'an extension in capital letters': (pair) => signAddress(pair, parameters).replace(/svg$/, 'SVG'),
      'a letter behind the end': (pair) => `${signAddress(pair, parameters)})x`,
      'a letter behind the end, encoded': (pair) => `${signAddress(pair, parameters)}%61`,
      'more than 64 characters behind the end': (pair) => `${signAddress(pair, parameters)}${')'.repeat(65)}`,
      'no extension': (pair) => signAddress(pair, parameters).replace(/\.svg$/, ''),
      'no signature': (pair) => signAddress(pair, parameters).replace(/\/\w+\.svg$/, '.svg'),
    },
    '400 key': {
      'a key of another form': (pair) => signAddress({ ...pair, key: 'mk_2222' }, parameters),
      'a key with a letter that keys have not': (pair) =>
        signAddress({ ...pair, key: `mk_${'l'.repeat(16)}` }, parameters),
    },
    '400 payload': {
      'a payload that is no base64url': (pair) => signAddress(pair, {}, { payload: 'a+b!' }),
      'a payload of an impossible length': (pair) => signAddress(pair, {}, { payload: 'abcde' }),
      'a payload with bits behind its end': (pair) => signAddress(pair, {}, { payload: 'dGl0bGU9eB' }),
      'a payload that is not UTF-8': (pair) => signAddress(pair, {}, { payload: binary([0x74, 0x3d, 0xff]) }),
      'a payload with half a character': (pair) =>
        signAddress(pair, {}, { payload: binary([0x74, 0x3d, 0xed, 0xa0, 0x80]) }),
      'a payload of more than 10 KiB': (pair) => signAddress(pair, { title: 'x'.repeat(10 * 1024 - 5) }),
      'an encoded slash in the payload': (pair) =>
        signAddress(pair, parameters).replace(/(?=\/\w+\.)/, '%2F'),
      'a NUL in the payload': (pair) => signAddress(pair, parameters).replace(/(?=\/\w+\.)/, '%00'),
      'a payload encoded twice': (pair) => signAddress(pair, parameters).replace(/(?=\w\/\w+\.)/, '%2541'),
    },
    '400 title': {
      'no payload': (pair) => signAddress(pair, {}, { payload: '' }),
      'a parameter twice': (pair) =>
        signAddress(pair, {}, { payload: binary([...Buffer.from('title=a&title=b')]) }),
      'an escape for HTML in its payload': (pair) => signAddress(pair, { 'amp;title': 'x' }),
    },
    '400 signature': {
      'a signature in capital letters': (pair) =>
        signAddress(pair, parameters).replace(/\w+(?=\.svg)/, (sig) => `A${sig.slice(1)}`),
      'a short signature': (pair) => signAddress(pair, parameters).replace(/\w(?=\.svg)/, ''),
      'a whole signature': (pair) => signAddress(pair, parameters).replace(/(\w+)(?=\.svg)/, '$1$1'),
    },
    '400 key signature payload': {
      'key, payload and signature': (pair) =>
        signAddress({ ...pair, key: 'x' }, {}, { payload: '!' }).replace(/\w(?=\.svg)/, ''),
    },
    '400 theme': {
      'a parameter that the asset refuses': (pair) => signAddress(pair, { ...parameters, theme: 'none' }),
    },
    '400 format': { 'format in its payload': (pair) => signAddress(pair, { ...parameters, format: 'svg' }) },
    '400 kind': { 'kind in its payload': (pair) => signAddress(pair, { ...parameters, kind: 'badge' }) },
    '400 key t sig demo': {
      'credentials in its payload': (pair) =>
        signAddress(pair, { ...parameters, key: pair.key, t: '1', sig: 'a', demo: '1' }),
    },
    '400 exp': { 'an end that is no time': (pair) => signAddress(pair, { ...parameters, exp: 'soon' }) },
    '402 invalid_key': {
      'an unknown key': (pair) => signAddress({ ...pair, key: `mk_${'2'.repeat(16)}` }, parameters),
    },
    '402 invalid_signature': {
      'the signature of another payload': (pair) =>
        signAddress(pair, parameters).replace(/\w+\.svg$/, signAddress(pair, { title: 'B' }).slice(-36)),
      'the signature of another extension': (pair) =>
        signAddress(pair, parameters, { extension: 'png' }).replace(/png$/, 'svg'),
      'the signature of another asset': (pair) =>
        signAddress(pair, { name: 'a', value: 'a' }, { asset: 'badge' }).replace('/badge/', '/avatar/'),
      'the signature of another key': async (pair) =>
        signAddress({ ...pair, key: (await issueKeyPair(server)).key }, parameters),
    },
  }
  const rows = Object.entries(wrong).flatMap(([reason, makes]) =>
    Object.entries(makes).map(([name, make]) => [name, reason, make] as const),
  )

  test.each(rows)('with %s is %s, and counts nothing', async (_, reason, make) => {
    expect(await refused(make)).toBe(`${reason}, 0 counted`)
  })

  test('never gets further than the limit of a request', async () => {
    const answer = await get(signAddress(await issueKeyPair(server), { title: 'x'.repeat(20_000) }))
    expect([413, 414, 431]).toContain(answer.status)
  })

  test('does not answer another method', async () => {
    const address = server.url + signAddress(await issueKeyPair(server), parameters)
    const answer = await fetch(address, { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})
