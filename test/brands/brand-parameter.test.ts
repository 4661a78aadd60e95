import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Brands } from '../../src/brands/brands.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { started } from '../support/started.ts'
import { slowTest } from '../support/test-size.ts'
import cases from './brand-parameter.json' with { type: 'json' }
import { form, temporaryBrands } from './support/temporary-brands.ts'

// The server is one process and the operator another one, as with several servers: it follows within a second.

let brands: Brands
const server = started(() => startService({ env: { KEY_DAILY_QUOTA: '50', KEYS_PER_IP_PER_DAY: '20' } }))
beforeAll(async () => {
  brands = (await temporaryBrands({ path: join(server.dataDir, 'mintmark.sqlite') })).brands
})

function card(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${server.url}/api/og?title=Hello&${query}`, { headers })
}

/** Asks until the answer has this status. */
function answerOnce(status: number, ask: () => Promise<Response>): Promise<Response> {
  return eventually(async () => {
    const answer = await ask()
    if (answer.status === status) return answer
    await answer.body?.cancel()
    return undefined
  })
}

interface Key {
  readonly id: string
  readonly secret: string
}

async function issueKey(): Promise<Key> {
  return (await (await fetch(`${server.url}/api/key`)).json()) as Key
}

async function usedBy({ id }: Key): Promise<number> {
  const usage = (await (await fetch(`${server.url}/api/usage?key=${id}`)).json()) as { readonly used: number }
  return usage.used
}

function embedUrl({ id, secret }: Key, parameters: Readonly<Record<string, string>>): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 3600
  return signEmbed(`${server.url}/api/og`, { title: 'Hello', ...parameters }, { key: id, secret }, exp)
}

async function problemOf(answer: Response) {
  return (await answer.json()) as {
    readonly code: string
    readonly errors: readonly { readonly parameter: string; readonly message: string }[]
  }
}

async function makeBrand(slug: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const saved = await brands.save(form({ name: slug, slug, ...texts }))
  expect(saved).toEqual({ slug, revision: 1 })
  await answerOnce(texts['access'] === 'keys' ? 403 : 200, () => card(`demo=1&brand=${slug}`))
}

describe('the parameter brand', () => {
  test('sets what other parameters leave out, and these win', async () => {
    await makeBrand('defaults', { theme: 'terminal', scheme: 'light', accent: 'ff0066' })
    const [branded, same, own, ownSame] = await Promise.all(
      [
        'brand=defaults',
        'theme=terminal&scheme=light&accent=ff0066',
        'brand=defaults&theme=aurora&accent=00ff00',
        'theme=aurora&scheme=light&accent=00ff00',
      ].map(async (query) => (await card(`demo=1&${query}`)).text()),
    )
    expect(branded).toStartWith('<svg')
    expect(branded).toBe(same ?? '')
    expect(own).toBe(ownSame ?? '')
  })

  test.each([...cases.wrong, ['x'.repeat(41), 'slug@revision']])(
    '%j is an error that names it, and nothing is charged',
    async (brand, words) => {
      if (!brands.find('known')) await makeBrand('known', {})
      const answer = await card(`demo=1&brand=${encodeURIComponent(brand)}`)
      expect(answer.status).toBe(400)
      const { code, errors } = await problemOf(answer)
      expect(code).toBe('invalid_query')
      const message = expect.stringContaining(words)
      expect(errors).toEqual([expect.objectContaining({ parameter: 'brand', message })])
    },
  )

  test('is named together with every other mistake', async () => {
    const { errors } = await problemOf(await card('demo=1&brand=nobody&size=huge&width=5'))
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual(['brand', 'size', 'width'])
  })

  test('with any character that no slug has is an error and nothing worse', async () => {
    for (let code = 0; code < 0x180; code += 1) {
      const letter = String.fromCodePoint(code)
      if (/[a-z0-9-]/.test(letter)) continue
      const answer = await card(`demo=1&brand=a${encodeURIComponent(letter)}b`)
      expect([code, answer.status]).toEqual([code, 400])
      await answer.body?.cancel()
    }
    for (const raw of ['a%00b', '%ff', '%', 'a+b', '%F0%9F', "a'--", '..%2f..'])
      expect([raw, (await card(`demo=1&brand=${raw}`)).status]).toEqual([raw, 400])
  })

  test('in an <img> says what is wrong as a card', async () => {
    const answer = await card('demo=1&brand=nobody', { accept: 'image/avif,image/webp,*/*' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'image/svg+xml'])
    expect(await answer.text()).toContain('brand')
  })
})

slowTest('the playground asks for a brand as soon as there is one for everybody', async () => {
  const empty = await startService()
  const page = async () => (await fetch(`${empty.url}/?kind=og&title=Hello&brand=mine`)).text()
  try {
    expect(await page()).not.toContain('name="brand"')
    const opened = await temporaryBrands({ path: join(empty.dataDir, 'mintmark.sqlite') })
    await opened.brands.save(form({ name: 'Ours', slug: 'ours', access: 'keys' }))
    await opened.brands.save(form({ name: 'Mine', slug: 'mine' }))
    const shown = await answerOnce(200, () => fetch(`${empty.url}/api/og?title=a&demo=1&brand=mine`))
    await shown.body?.cancel()
    expect(await page()).toContain('name="brand"')
  } finally {
    await empty.stop()
  }
})

describe('a new revision', () => {
  test('has another ETag under the slug, and the one before stays under its number', async () => {
    await makeBrand('revised', { theme: 'paper' })
    const first = await card('demo=1&brand=revised')
    const pinned = await card('demo=1&brand=revised@1')
    const etag = first.headers.get('etag') ?? ''
    expect(pinned.headers.get('etag')).toBe(etag)
    expect((await card('brand=revised', { 'if-none-match': etag })).status).toBe(304)

    await brands.save(form({ theme: 'grid' }), 'revised')
    const changed = await answerOnce(200, () => card('brand=revised&demo=1', { 'if-none-match': etag }))
    expect(changed.headers.get('etag')).not.toBe(etag)
    expect((await card('brand=revised@1', { 'if-none-match': etag })).status).toBe(304)
    expect(await (await card('demo=1&brand=revised@1')).text()).toBe(await first.text())
    expect(await changed.text()).toBe(await (await card('demo=1&theme=grid')).text())
  })
})

describe('an archived brand', () => {
  test('is an error that says so, for cached cards and ETags too, and is back when it is restored', async () => {
    await makeBrand('resting', {})
    const etag = (await card('demo=1&brand=resting')).headers.get('etag') ?? ''
    await card('demo=1&brand=resting')
    await brands.archive('resting')
    const gone = await answerOnce(400, () => card('demo=1&brand=resting'))
    expect((await problemOf(gone)).errors[0]?.message).toContain('resting is archived')
    expect((await card('demo=1&brand=resting@1')).status).toBe(400)
    expect((await card('brand=resting', { 'if-none-match': etag })).status).toBe(400)
    await brands.restore('resting')
    const back = await answerOnce(200, () => card('demo=1&brand=resting'))
    expect(back.headers.get('etag')).toBe(etag)
  })
})

describe('a brand for chosen keys', () => {
  let chosen: Key
  let other: Key
  beforeAll(async () => {
    ;[chosen, other] = [await issueKey(), await issueKey()]
    await makeBrand('private', { access: 'keys' })
    await brands.allow(chosen.id, ['private'])
    const url = await embedUrl(chosen, { brand: 'private' })
    await answerOnce(200, () => fetch(url))
  })

  test('is given to them, and each card is counted as any other', async () => {
    const before = await usedBy(chosen)
    const answer = await fetch(await embedUrl(chosen, { brand: 'private', title: 'Ours' }))
    expect([answer.status, answer.headers.get('x-auth-mode')]).toEqual([200, 'key'])
    expect(await usedBy(chosen)).toBe(before + 1)
  })

  test('is given to nobody else, and nothing is charged', async () => {
    const demo = async () => Number((await card('demo=1')).headers.get('x-quota-remaining'))
    const remaining = await demo()
    for (const query of ['demo=1&brand=private', 'brand=private', 'brand=private@1']) {
      const answer = await card(query, { 'x-payment': `0x${'ab'.repeat(32)}` })
      const { code } = await problemOf(answer)
      expect([query, answer.status, code]).toEqual([query, 403, 'brand_not_allowed'])
    }
    const refused = await fetch(await embedUrl(other, { brand: 'private' }))
    const { code, errors } = await problemOf(refused)
    const message = 'is restricted to certain keys, and none of them signed this call'
    const expected = [403, 'brand_not_allowed', [{ parameter: 'brand', message }]]
    expect([refused.status, code, errors]).toEqual(expected)
    expect(await usedBy(other)).toBe(0)
    expect(await demo()).toBe(remaining - 1)
  })

  test('does not tell which keys may use it to whoever only knows their ids', async () => {
    for (const { id } of [chosen, other]) {
      const forged = await embedUrl({ id, secret: '00'.repeat(32) }, { brand: 'private', demo: '1' })
      const answer = await fetch(forged)
      const { error } = (await answer.json()) as { readonly error: string }
      expect([answer.status, error]).toEqual([402, 'invalid_signature'])
    }
  })

  test('answers HEAD and ETags by the same rule', async () => {
    const url = await embedUrl(chosen, { brand: 'private' })
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect((await card('demo=1&brand=private', { 'if-none-match': etag })).status).toBe(403)
    const unsigned = `${server.url}/api/og?title=Hello&demo=1&brand=private`
    expect((await fetch(unsigned, { method: 'HEAD' })).status).toBe(403)
  })

  test('in an <img> says so as a card', async () => {
    const answer = await card('demo=1&brand=private', { accept: 'image/webp,*/*' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'image/svg+xml'])
    expect(await answer.text()).toContain('restricted to certain keys')
  })

  test('is not drawn on the pages of the service', async () => {
    // The playground has the field once there is a brand for everybody.
    await makeBrand('offered', {})
    const page = await (await fetch(`${server.url}/?kind=og&title=Hello&brand=private`)).text()
    expect(page).toContain('restricted to certain keys')
  })

  test('is refused to a view that was counted today as soon as its key may not use it', async () => {
    const viewer = await issueKey()
    await makeBrand('viewed', { access: 'keys' })
    await brands.allow(viewer.id, ['viewed'])
    const url = await embedUrl(viewer, { brand: 'viewed', title: 'Counted' })
    await answerOnce(200, () => fetch(url))
    for (let views = 0; views < 3; views += 1) expect((await fetch(url)).status).toBe(200)
    await brands.allow(viewer.id, [])
    const refused = await answerOnce(403, () => fetch(url))
    expect((await problemOf(refused)).code).toBe('brand_not_allowed')
    await brands.allow(viewer.id, ['viewed'])
    expect((await answerOnce(200, () => fetch(url))).status).toBe(200)
    await brands.save(form({ access: 'everyone' }), 'viewed')
    const open = await answerOnce(200, () => card('demo=1&brand=viewed'))
    expect(open.status).toBe(200)
  })
})

slowTest(
  'cards of a brand are counted by key, the one that found it too, so that archiving can say what it breaks',
  async () => {
    await makeBrand('used', {})
    const keys = [await issueKey(), await issueKey()]
    for (const key of keys)
      for (const title of ['a', 'b'])
        await (await fetch(await embedUrl(key, { brand: 'used', title }))).text()
    await (await card('demo=1&brand=used')).text()
    // Not a card.
    await fetch(`${server.url}/api/og?title=Hello&demo=1&brand=used`, { method: 'HEAD' })
    await eventually(async () => (await brands.use('used')).cards >= 6)
    expect(await brands.use('used')).toEqual({ cards: 6, keys: 2 })
  },
)
