import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { readCredentials } from '../../src/access/credentials.ts'
import cases from './signature-verifier.json' with { type: 'json' }
import { embedded, noonMs, openAccess, outcome, requestOf, signed } from './temporary-access.ts'

const second = 1_000
const day = 86_400_000

async function start() {
  const access = await openAccess()
  const pair = await access.keys.create({ dailyQuota: 1_000 })
  const answer = async (url: string, method = 'GET') => outcome(await access.call(url, method))
  return { access, pair, answer, bucket: `key:${pair.key.id}` }
}

function hmac(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}

describe('a t signature', () => {
  test('is over the second, the method and the path, and leaves the other parameters free', async () => {
    const { pair, answer } = await start()
    const t = noonMs / second
    const sig = hmac(pair.secret, `${t}.GET /api/og`)
    const query = `key=${pair.key.id}&t=${t}&sig=${sig}`
    expect(await answer(`/api/og?${query}`)).toBe('key')
    expect(await answer(`/api/og?title=Anything&${query}`)).toBe('key')
    for (const path of [`/api/og.png?${query}`, `/api/og/?${query}`, `/api/%6Fg?${query}`])
      expect(await answer(path)).toBe('invalid_signature')
  })

  test.each(cases.wrong as [number, string][])(
    'made %p seconds from now is %p',
    async (seconds, expected) => {
      const { pair, answer } = await start()
      expect(await answer(await signed(pair, noonMs + seconds * second))).toBe(expected)
    },
  )

  test('keeps its whole last second', async () => {
    const { access, pair, answer } = await start()
    const url = await signed(pair, noonMs)
    access.clock.nowMs += 300 * second + 999
    expect(await answer(url)).toBe('key')
    access.clock.nowMs += 1
    expect(await answer(url)).toBe('stale_signature')
  })

  test('serves HEAD signed as GET, and is worth nothing for another method', async () => {
    const { pair, answer } = await start()
    const t = noonMs / second
    const as = (method: string) =>
      `/api/og?key=${pair.key.id}&t=${t}&sig=${hmac(pair.secret, `${t}.${method} /api/og`)}`
    expect(await answer(as('GET'), 'HEAD')).toBe('key')
    expect(await answer(as('HEAD'), 'HEAD')).toBe('invalid_signature')
    expect(await answer(as('POST'), 'GET')).toBe('invalid_signature')
    expect(await answer(as('GET'), 'POST')).toBe('invalid_signature')
  })

  test('of another key, of another second, and a guessed one are refused', async () => {
    const { access, pair, answer } = await start()
    const url = await signed(pair, noonMs)
    const expected = 'invalid_signature'
    expect(await answer(url.replace(pair.key.id, (await access.keys.create()).key.id))).toBe(expected)
    expect(await answer(url.replace(`t=${noonMs / second}`, `t=${noonMs / second + 1}`))).toBe(
      'invalid_signature',
    )
    expect(await answer(url.replace(/sig=.*/, `sig=${'0'.repeat(64)}`))).toBe('invalid_signature')
  })

  test('of an unknown key is refused', async () => {
    const { pair, answer } = await start()
    const stranger = { key: { id: 'mk_2222222222222222' }, secret: pair.secret }
    expect(await answer(await signed(stranger, noonMs))).toBe('invalid_key')
    expect(await answer(await embedded(stranger))).toBe('invalid_key')
  })
})

describe('an embed signature', () => {
  const parameters = { title: 'Crème & brûlée + 1 = "2"', author: 'Ada' }

  test('is over the whole canonical query', async () => {
    const { pair, answer } = await start()
    const query = `exp=${noonMs / second + 60}&key=${pair.key.id}&title=a%20b`
    const sig = hmac(pair.secret, `GET /api/og?${query}`)
    expect(await answer(`/api/og?${query}&sig=${sig}`)).toBe('key')
  })

  test('may stand anywhere in the query', async () => {
    const { pair, answer } = await start()
    const [rest = '', sig] = (await embedded(pair, parameters)).split('&sig=')
    expect(await answer(rest.replace('&title=', `&sig=${sig}&title=`))).toBe('key')
    expect(await answer(rest.replace('?', `?sig=${sig}&`))).toBe('key')
  })

  test.each<[string, (url: string) => string]>([
    ['parameters in another order', (url) => url.replace(/\?(author=Ada)&(exp=\d+)/, '?$2&$1')],
    ['a space as plus', (url) => url.replaceAll('%20', '+')],
    ['a letter that needs no encoding, encoded', (url) => url.replace('Ada', '%41da')],
    ['a name, encoded', (url) => url.replace('author=', '%61uthor=')],
    ['lower-case percent-encoding', (url) => url.replaceAll('%C3', '%c3')],
    ['bare letters outside of ASCII', (url) => url.replace('%C3%A8', 'è')],
    ['raw reserved characters', (url) => url.replace('%3D', '=').replaceAll('%22', '"')],
    ['an empty pair', (url) => url.replace('&', '&&')],
    ['an ampersand at the end', (url) => `${url}&`],
    ['an escape for HTML', (url) => url.replaceAll('&', '&amp;')],
    ['two escapes for HTML', (url) => url.replaceAll('&', '&amp;amp;')],
    ['an escape of a few names', (url) => url.replace('&exp', '&amp;exp')],
    ['a campaign', (url) => `${url}&utm_source=x&utm_medium=y`],
    ['a click', (url) => url.replace('?', '?fbclid=1&')],
    ['a click whose value is malformed', (url) => `${url}&fbclid=%zz`],
    ['a version', (url) => `${url}&v=2`],
    ['a click and a version, escaped for HTML', (url) => `${url}&gclid=1&_=2`.replaceAll('&', '&amp;')],
  ])('holds with %s, which is the same address and counts once', async (_, change) => {
    const { access, pair, answer, bucket } = await start()
    const url = await embedded(pair, parameters)
    expect(change(url)).not.toBe(url)
    expect([await answer(change(url)), await answer(url)]).toEqual(['key', 'key'])
    expect(await access.used(bucket)).toBe(1)
  })

  test.each<[string, (url: string) => string]>([
    ['a changed parameter', (url) => url.replace('Ada', 'Adb')],
    ['an added parameter', (url) => `${url}&subtitle=x`],
    ['an added parameter that the asset does not have', (url) => `${url}&aa=1`],
    ['an added parameter without a value', (url) => `${url}&x`],
    ['an added parameter, escaped for HTML', (url) => `${url}&amp;subtitle=x`],
    ['a parameter left out', (url) => url.replace('author=Ada&', '')],
    ['an empty parameter', (url) => url.replace('author=Ada', 'author=')],
    ['a value encoded twice', (url) => url.replaceAll('%C3', '%25C3')],
    ['a name in capital letters', (url) => url.replace('author=', 'AUTHOR=')],
    ['broken percent-encoding', (url) => `${url}&x=%zz`],
    ['a later end', (url) => url.replace(/exp=(\d+)/, (_, exp) => `exp=${Number(exp) + 1}`)],
    ['another path', (url) => url.replace('/api/og', '/api/og.png')],
  ])('is broken by %s, and nothing is counted', async (_, change) => {
    const { access, pair, answer, bucket } = await start()
    const url = await embedded(pair, parameters)
    expect(change(url)).not.toBe(url)
    expect([await answer(change(url)), await access.used(bucket)]).toEqual(['invalid_signature', 0])
    expect(await answer(url)).toBe('key')
  })

  test('holds no tracker that it was signed without where the asset has a parameter of that name', async () => {
    const { pair, access } = await start()
    const asked = async (url: string) =>
      outcome(await access.authorizer.authorize({ ...requestOf(url), isParameter: (name) => name === 'v' }))
    const url = await embedded(pair, parameters)
    expect([await asked(url), await asked(`${url}&v=2`)]).toEqual(['key', 'invalid_signature'])
    expect(await asked(`${url}&ver=2`)).toBe('key')
  })

  test('holds a tracker that it was signed with, which may then not be taken away', async () => {
    const { pair, answer } = await start()
    const url = await embedded(pair, { ...parameters, utm_source: 'x' })
    expect(await answer(url)).toBe('key')
    expect(await answer(url.replace('utm_source=x', 'utm_source=y'))).toBe('invalid_signature')
    expect(await answer(url.replace('&utm_source=x', ''))).toBe('invalid_signature')
  })

  test('is malformed where two names become one by unescaping', async () => {
    const { pair, answer } = await start()
    const url = await embedded(pair, parameters)
    expect(await answer(`${url}&amp;title=Other`)).toBe('invalid_query')
    expect(await answer(`${url}&amp;amp;author=Other`)).toBe('invalid_query')
  })

  test('lives until its end, and its end lies at most ten years ahead', async () => {
    const { access, pair, answer } = await start()
    const url = await embedded(pair, parameters, noonMs + 10 * second)
    access.clock.nowMs += 10 * second
    expect(await answer(url)).toBe('key')
    access.clock.nowMs += second
    expect(await answer(url)).toBe('stale_signature')
    expect(await answer(await embedded(pair, parameters, Date.parse('2036-03-01T12:00:00Z')))).toBe('key')
    const expected = 'stale_signature'
    expect(await answer(await embedded(pair, parameters, Date.parse('2037-03-01T12:00:00Z')))).toBe(expected)
  })

  test('counts once, however often and on however many days it is loaded', async () => {
    const { access, pair, answer, bucket } = await start()
    const url = await embedded(pair, parameters)
    for (let view = 0; view < 10; view += 1) expect(await answer(url)).toBe('key')
    expect(await access.used(bucket)).toBe(1)
    for (let later = 0; later < 3; later += 1) {
      access.clock.nowMs += day
      expect([await answer(url), await access.used(bucket)]).toEqual(['key', 0])
    }
  })

  test('counts as many images a day as the quota has, and shows those any number of times', async () => {
    const { access, pair, answer } = await start()
    await access.keys.change(pair.key.id, { dailyQuota: 2 })
    const [a = '', b = '', c = ''] = await Promise.all(
      ['a', 'b', 'c'].map((title) => embedded(pair, { title })),
    )
    const outcomes = []
    for (const url of [a, b, c, a, b, c]) outcomes.push(await answer(url))
    expect(outcomes).toEqual(['key', 'key', 'quota_exhausted', 'key', 'key', 'quota_exhausted'])
  })

  test('shares its quota with signed calls', async () => {
    const { access, pair, answer } = await start()
    await access.keys.change(pair.key.id, { dailyQuota: 2 })
    await answer(await embedded(pair))
    await answer(await signed(pair, noonMs))
    expect(await answer(await signed(pair, noonMs))).toBe('quota_exhausted')
  })
})

describe('a signature that was verified before', () => {
  async function remember() {
    const { access, pair } = await start()
    const url = await embedded(pair)
    const credentials = readCredentials(url.split('?')[1] ?? '')
    if ('errors' in credentials) throw new Error('The signature cannot be read.')
    const again = async (asked = url, method = 'GET') =>
      outcome(await access.authorizer.authorize({ ...requestOf(asked, method), credentials }))
    expect([await again(), await again()]).toEqual(['key', 'key'])
    return { access, pair, url, again }
  }

  test('is worth nothing for another path, query or method', async () => {
    const { url, again } = await remember()
    expect(await again(url.replace('/api/og', '/api/og.png'))).toBe('invalid_signature')
    expect(await again(url.replace('Hello', 'Help'))).toBe('invalid_signature')
    expect([await again(url, 'POST'), await again(url, 'HEAD')]).toEqual(['invalid_signature', 'key'])
    expect(await again()).toBe('key')
  })

  test('ends with its key, and outlives the overlap after a new secret', async () => {
    const { access, pair, again } = await remember()
    await access.keys.revoke(pair.key.id)
    expect(await again()).toBe('invalid_key')
    await access.keys.restore(pair.key.id)
    expect(await again()).toBe('key')
    await access.keys.rotate(pair.key.id, 10 * second)
    expect(await again()).toBe('key')
    access.clock.nowMs += 10 * second
    expect(await again()).toBe('key')
    await access.rotateLeaked(pair.key.id)
    expect(await again()).toBe('key')
  })

  test('ends with its secret where that has leaked', async () => {
    const { access, pair, again } = await remember()
    await access.rotateLeaked(pair.key.id)
    expect(await again()).toBe('invalid_signature')
  })

  test('ends at its time', async () => {
    const { access, again } = await remember()
    access.clock.nowMs += 31 * day
    expect(await again()).toBe('stale_signature')
  })
})

test('a refused signature counts nothing and leaves no trace of the URL', async () => {
  const { access, pair, bucket } = await start()
  const request = requestOf(
    (await signed(pair, noonMs)).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
  )
  await access.authorizer.authorize(request)
  expect((await access.used(bucket)) + (await access.usedInAll())).toBe(0)
})
