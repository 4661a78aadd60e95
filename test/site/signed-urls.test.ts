import { describe, expect, test } from 'bun:test'
import { createSignedUrls } from '../../src/site/playground/visitor-drawings.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const minuteMs = 60_000

describe('signed URLs of the playground', () => {
  const clock = { ms: 1_795_219_371_000, now: () => clock.ms }
  const signedUrls = createSignedUrls('key', clock)
  function parts(path: string) {
    return path.slice(path.indexOf('?') + 1)
  }

  test('are valid for at least five minutes and at most ten', () => {
    const issued = parts(signedUrls.sign('og', 'title=a'))
    expect(signedUrls.verify('og', issued)).toBe('title=a')
    clock.ms += 5 * minuteMs - 1
    expect(signedUrls.verify('og', issued)).toBe('title=a')
    clock.ms += 5 * minuteMs + 1
    expect(signedUrls.verify('og', issued)).toBeUndefined()
  })

  test('are invalid with any change', () => {
    const issued = parts(signedUrls.sign('og', 'title=a'))
    expect(signedUrls.verify('badge', issued)).toBeUndefined()
    expect(signedUrls.verify('og', issued.replace('title=a', 'title=b'))).toBeUndefined()
    expect(signedUrls.verify('og', `${issued}&title=b`)).toBeUndefined()
    expect(signedUrls.verify('og', issued.replace(/until=(\d)/, 'until=9'))).toBeUndefined()
    expect(signedUrls.verify('og', 'title=a')).toBeUndefined()
    expect(createSignedUrls('other', clock).verify('og', issued)).toBeUndefined()
    expect(signedUrls.verify('stats', parts(signedUrls.sign('stats', '')))).toBe('')
  })
})

describe('the quota of the playground', () => {
  const server = started(() =>
    startService({
      env: { PLAYGROUND_PER_IP_PER_DAY: '3', DEMO_DAILY_QUOTA: '2', TRUSTED_PROXIES: '127.0.0.1' },
    }),
  )

  async function ask(title: string, address = '127.0.0.1') {
    const headers = { 'x-forwarded-for': address }
    const page = await (await fetch(`${server.url}/?kind=og&title=${title}`, { headers })).text()
    const path = /src="(\/playground\/og[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    return { page, path }
  }

  test('counts equal queries once and others until it is used up, and its answers are private', async () => {
    const { path = '' } = await ask('one')
    const first = await fetch(server.url + path)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('private, max-age=300')
    expect(first.headers.get('x-auth-mode')).toBe('ticket')
    for (let again = 0; again < 5; again += 1) expect((await fetch(server.url + path)).status).toBe(200)
    expect((await ask('two')).path).toBeDefined()
    expect((await ask('three')).path).toBeDefined()
    const empty = await ask('four')
    expect(empty.path).toBeUndefined()
    expect(empty.page).toContain('Your address has had its previews for today')
    // The page itself, and previews of earlier texts, are still shown.
    expect((await fetch(server.url)).status).toBe(200)
    expect((await ask('two')).path).toBeDefined()
  })

  test('is of a /64, four times as much of a /56, and sixteen times of a /48', async () => {
    const shown = [0, 0, 0, 0, 0]
    for (let subnet = 0; subnet < 0x500; subnet += 0x10) {
      const { path } = await ask(`network-${subnet}`, `2001:db8:9:${subnet.toString(16)}::1`)
      if (path !== undefined) shown[subnet >> 8] = (shown[subnet >> 8] ?? 0) + 1
    }
    expect(shown).toEqual([12, 12, 12, 12, 0])
  })

  test('releases what a mistake took, and names the mistake', async () => {
    const { page } = await ask('x'.repeat(81))
    expect(page).toContain('must be 1 to 80 characters, not 81')
  })

  test('refuses URLs that the page did not sign', async () => {
    expect(
      (await fetch(`${server.url}/playground/og?title=a&until=9999999999&ticket=${'0'.repeat(32)}`)).status,
    ).toBe(404)
    expect((await fetch(`${server.url}/playground/og?title=a`)).status).toBe(404)
    expect(
      (await fetch(`${server.url}/playground/nosuch?until=9999999999&ticket=${'0'.repeat(32)}`)).status,
    ).toBe(404)
  })
})
