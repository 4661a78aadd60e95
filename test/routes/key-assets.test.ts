import { beforeAll, describe, expect, test } from 'bun:test'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { logIn, type Operator } from '../admin/support/operator.ts'
import { eventually } from '../support/eventually.ts'
import { started } from '../support/started.ts'
import { startPageSite } from './support/page-site.ts'

let operator: Operator

const site = started(startPageSite)
const here = started(() => openAdminServer({ env: site.env }))
const there = started(() => openAdminServer({ env: site.env, dataDir: here.dataDir }))
beforeAll(async () => {
  operator = await logIn(here)
})

interface Pair {
  readonly key: string
  readonly secret: string
}

async function createKey(assets: string, hosts = '') {
  const { id, secret, path } = await operator.createKey({ name: 'limited', quota: '50', assets, hosts })
  return { path, pair: { key: id, secret } }
}

async function usedBy({ key }: Pair): Promise<number> {
  return (await (await fetch(`${here.url}/api/usage?key=${key}`)).json()).used
}

async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.status
}

/** Addresses of a badge that a key signs. */
async function badgesOf(pair: Pair): Promise<readonly string[]> {
  return [
    await embedUrl(`${here.url}/api/badge`, { value: 'path' }, pair),
    await signUrl(`${here.url}/api/badge?value=now`, pair),
    await signUrl(`${here.url}/api/transform?kind=badge&value=now`, pair),
  ]
}

describe('a key that is limited to some assets', () => {
  test('grants those, and is refused any other in words, before anything is counted', async () => {
    const { pair } = await createKey('og')
    expect(await statusOf(await embedUrl(`${here.url}/api/og`, { title: 'Allowed' }, pair))).toBe(200)
    for (const url of await badgesOf(pair)) {
      for (const method of ['GET', 'HEAD']) expect([url, await statusOf(url, { method })]).toEqual([url, 402])
      const { error, detail } = await (await fetch(url)).json()
      expect(error).toBe('asset_not_allowed')
      expect(detail).toStartWith('This key may call og, and not badge.')
    }
    expect(await usedBy(pair)).toBe(1)
  })

  test('leaves a call of another asset to the next credentials', async () => {
    const { pair } = await createKey('og')
    const answer = await fetch(await signUrl(`${here.url}/api/badge?value=demo&demo=1`, pair))
    expect([answer.status, answer.headers.get('x-auth-mode')]).toEqual([200, 'demo'])
    expect(await usedBy(pair)).toBe(0)
  })

  test('says nothing of its assets to somebody who cannot sign', async () => {
    const { pair } = await createKey('og')
    const [url = ''] = await badgesOf({ ...pair, secret: '0'.repeat(64) })
    expect((await (await fetch(url)).json()).error).toBe('invalid_signature')
    const open = await (await fetch(`${here.url}/api/usage?key=${pair.key}`)).json()
    expect(open).not.toHaveProperty('assets')
    const own = await fetch(await signUrl(`${here.url}/api/usage`, pair))
    expect((await own.json()).assets).toEqual(['og'])
  })

  test('loses an asset on every server, also what is in memory there and what a reader has a copy of', async () => {
    const { pair, path } = await createKey('og,badge')
    const [badge = ''] = await badgesOf(pair)
    const elsewhere = badge.replace(here.url, there.url)
    const etag = (await fetch(badge)).headers.get('etag') ?? ''
    const again = { headers: { 'if-none-match': etag } }
    for (let view = 0; view < 3; view += 1)
      for (const url of [badge, elsewhere])
        expect([await statusOf(url), await statusOf(url, again)]).toEqual([200, 304])
    expect(
      (
        await operator.post(`${path}/assets`, [
          ['assets', 'og'],
          ['assets', 'avatar'],
        ])
      ).status,
    ).toBe(303)
    expect([await statusOf(badge), await statusOf(badge, again)]).toEqual([402, 402])
    await eventually(async () => (await statusOf(elsewhere)) === 402)
    expect(await statusOf(elsewhere, again)).toBe(402)
    expect((await operator.post(`${path}/assets`, {})).status).toBe(303)
    expect(await statusOf(badge)).toBe(200)
    await eventually(async () => (await statusOf(elsewhere)) === 200)
    expect(await usedBy(pair)).toBe(1)
  })

  test('draws cards of its hosts’ pages only where it may call them', async () => {
    const host = 'limited.example.com'
    site.setPage('/tides', '<!doctype html><html lang="en"><title>Tides</title><p>Text.</p>')
    const { pair, path } = await createKey('card', host)
    const siteId = /id="site-id">(ms_[0-9a-z]+)</.exec(await operator.page(path))?.[1] ?? ''
    const page = site.url('/tides', host)
    const address = `${here.url}/api/card?${new URLSearchParams({ site: siteId, page })}`
    const answer = await fetch(address)
    const again = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } }
    expect([answer.status, await statusOf(address), await statusOf(address, again)]).toEqual([200, 200, 304])
    await operator.post(`${path}/assets`, { assets: 'og' })
    expect([await statusOf(address), await statusOf(address, again)]).toEqual([402, 402])
    expect((await (await fetch(address)).json()).error).toBe('asset_not_allowed')
    expect(await usedBy(pair)).toBe(0)
  })
})
