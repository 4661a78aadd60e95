import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readListQuery } from '../../admin/app.ts'
import { countEnded, countExhausted, type KeysQuery, keysQuery, readKeys } from '../../admin/lists/keys.tsx'
import { embedUrl } from '../../src/client/embed-url.ts'
import { readConfig } from '../../src/config.ts'
import { started } from '../support/started.ts'
import { openTestStore, queryTestStore } from '../support/test-store.ts'
import cases from './key-forms.json' with { type: 'json' }
import { openAdminServer } from './support/admin-server.ts'
import { loggedIn, logIn } from './support/operator.ts'

const server = started(openAdminServer)
let operator = loggedIn(server)

const bounds = 'The quota is a whole number from 0 to 1,000,000,000.'

test.each(['-1', 'abc', '1.5', '1000000001'])('a quota of %s is refused with its bounds', async (quota) => {
  const { path } = await operator.createKey({ name: 'docs.harbour.dev', quota: '7' })
  const changed = await operator.post(`${path}/quota`, { quota })
  expect(changed.status).toBe(400)
  expect(await changed.text()).toContain(bounds)

  const created = await operator.post('/admin/keys', { name: 'kept.harbour.dev', quota })
  expect(created.status).toBe(400)
  const form = await created.text()
  expect(form).toContain(bounds)
  expect(form).toContain('value="kept.harbour.dev"')
})

function query<Row extends object>(sql: string): Promise<readonly Row[]> {
  return queryTestStore<Row>(join(server.dataDir, 'mintmark.sqlite'), sql)
}

async function endOf(id: string): Promise<number | null> {
  const [row] = await query<{ end: number | null }>(
    `select expires_at_ms as "end" from keys where id = '${id}'`,
  )
  return row?.end ?? null
}

const endBounds = 'A key ends after 1 to 3,650 days, as a whole number, or not at all.'

test.each(['0', '-1', '3651', '1.5', 'never', '07', '1e2'])(
  'an end after %s days is refused with its bounds',
  async (expires) => {
    const { path, id } = await operator.createKey({ name: 'docs.harbour.dev', quota: '7', expires: '5' })
    const before = await endOf(id)
    const changed = await operator.post(`${path}/expires`, { expires })
    expect([changed.status, await changed.text()]).toEqual([400, expect.stringContaining(endBounds)])
    expect(await endOf(id)).toBe(before)

    const created = await operator.post('/admin/keys', { name: 'kept.harbour.dev', quota: '', expires })
    const form = await created.text()
    expect([created.status, form]).toEqual([400, expect.stringContaining(endBounds)])
    expect(form).toContain(`value="${expires}"`)
  },
)

test('an end is set, moved and removed, and each of it is in the audit log', async () => {
  // The overview counts keys that end where they are many.
  for (let n = 0; n < 5; n += 1)
    await operator.createKey({ name: 'docs.harbour.dev', quota: '7', expires: '5' })
  const { id, path } = await operator.createKey({ name: 'trial.harbour.dev', quota: '', expires: '30' })
  const dayMs = 86_400_000
  expect(Math.abs(Number(await endOf(id)) - server.clock.now() - 30 * dayMs)).toBeLessThan(60_000)
  await operator.post(`${path}/expires`, { expires: '3' })
  expect(Math.abs(Number(await endOf(id)) - server.clock.now() - 3 * dayMs)).toBeLessThan(60_000)
  const page = await (await operator.get(path)).text()
  expect(page).toMatch(/Expires on \d{4}-\d\d-\d\d \d\d:\d\d UTC, in 3 days\./)
  expect(await (await operator.get('/admin/keys?status=ending')).text()).toContain(id)
  expect(await (await operator.get('/admin')).text()).toMatch(/ends? within 14 days/)
  await operator.post(`${path}/expires`, { expires: '' })
  expect(await endOf(id)).toBeNull()
  const rows = await query<{ action: string; detail: string }>(
    `select action, detail from audit_entries where subject = '${id}' order by id`,
  )
  expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
    ['key.create', expect.stringMatching(/^default quota, ends \d{4}-/)],
    ['key.expires', expect.stringMatching(/^ends \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)],
    ['key.expires', 'no end'],
  ])
})

test('a key that has ended says so, and lives again with a later end alone', async () => {
  const { id, path } = await operator.createKey({ name: 'over.harbour.dev', quota: '', expires: '1' })
  server.clock.aheadMs += 86_400_000
  operator = await logIn(server)
  const page = await (await operator.get(path)).text()
  expect(page).toContain('>Ended<')
  expect(page).toContain('Expired on ')
  expect(await (await operator.get('/admin/keys?status=ended')).text()).toContain(id)
  for (const action of ['revoke', 'restore', 'upgrade']) await operator.post(`${path}/${action}`, {})
  expect(await (await operator.get(path)).text()).toContain('>Ended<')
  await operator.post(`${path}/expires`, { expires: '1' })
  expect(await (await operator.get(path)).text()).not.toContain('>Ended<')
})

test('a name that is too long is refused with the form', async () => {
  const created = await operator.post('/admin/keys', { name: 'n'.repeat(81), quota: '' })
  expect(created.status).toBe(400)
  expect(await created.text()).toContain('A name has at most 80 characters.')
})

test('a key that does not exist has no quota and no end to set', async () => {
  const quotas = ['5', '-1'].map((quota) => operator.post('/admin/keys/none/quota', { quota }))
  const ends = ['5', '-1'].map((expires) => operator.post('/admin/keys/none/expires', { expires }))
  const statuses = (await Promise.all([...quotas, ...ends])).map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 404, 404])
})

test('the area is found with a slash at its end', async () => {
  const answer = await operator.get('/admin/')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin'])
})

test('a rotation keeps published addresses, and that of a leaked secret ends them, or those since a day', async () => {
  const { path, id, secret } = await operator.createKey({ name: 'docs.harbour.dev', quota: '7' })
  const pair = { key: id, secret }
  const seen = await embedUrl(`${server.url}/api/og`, { title: 'Seen' }, pair)
  const unseen = await embedUrl(`${server.url}/api/og`, { title: 'Unseen' }, pair)
  const status = async (url: string) => (await fetch(url)).status
  expect(await status(seen)).toBe(200)
  await operator.post(`${path}/rotate`, { overlap: '0' })
  expect([await status(seen), await status(unseen)]).toEqual([200, 402])

  const wrong = await operator.post(`${path}/rotate`, { leaked: '1', since: 'yesterday' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('2026-11-26')])
  const rotated = await operator.createKey({ name: 'leaked.harbour.dev', quota: '7' })
  const leaked = await embedUrl(
    `${server.url}/api/og`,
    { title: 'Seen' },
    { key: rotated.id, secret: rotated.secret },
  )
  expect(await status(leaked)).toBe(200)
  expect((await operator.post(`${rotated.path}/rotate`, { leaked: '1', since: '' })).status).toBe(303)
  expect(await status(leaked)).toBe(402)
  expect(await operator.page(rotated.path)).toContain('the one before leaked: ended with all its URLs')
})

test('a key names hosts, keeps its site id, and has the look of its cards', async () => {
  const { id, path } = await operator.createKey({ name: 'site.harbour.dev', quota: '', hosts: 'harbour.dev' })
  async function stored() {
    const [row] = await query<{ hosts: string; site: string | null; look: string }>(
      `select hosts, site_id as site, look from keys where id = '${id}'`,
    )
    return row
  }
  const { site } = (await stored()) ?? {}
  expect(site).toMatch(/^ms_[2-9a-hjkmnp-z]{16}$/)
  expect(await operator.page(path)).toContain(`id="site-id">${site}<`)
  const changed = { hosts: 'Docs.Harbour.dev, harbour.io', theme: 'paper', accent: '#C00', picture: 'page' }
  expect((await operator.post(`${path}/site`, changed)).status).toBe(303)
  expect(await stored()).toEqual({
    hosts: 'docs.harbour.dev,harbour.io',
    site: site ?? '',
    look: '{"theme":"paper","accent":"#cc0000","picture":"page","template":"auto"}',
  })
  const page = await operator.page(path)
  expect(page).toContain('value="docs.harbour.dev, harbour.io"')
  expect(page).toContain('hosts docs.harbour.dev harbour.io, theme paper, accent #cc0000, picture page')
  expect((await operator.post(`${path}/site`, { hosts: '' })).status).toBe(303)
  expect(await stored()).toEqual({ hosts: '', site: site ?? '', look: '{"template":"auto"}' })
})

test('a key’s assets and notes are set on its page and in the form, and notes keep their lines', async () => {
  const form = { name: 'assets.harbour.dev', quota: '', assets: 'badge', notes: 'Ask Ida\r\nfirst' }
  const { id, path } = await operator.createKey(form)
  async function stored() {
    const [row] = await query<{ assets: string; notes: string }>(
      `select assets, notes from keys where id = '${id}'`,
    )
    return row
  }
  expect(await stored()).toEqual({ assets: 'badge', notes: 'Ask Ida\nfirst' })
  const page = await operator.page(path)
  expect(page).toMatch(/value="badge" checked/)
  expect(page).not.toMatch(/value="og" checked/)
  expect(page).toContain('>Ask Ida\nfirst</textarea>')
  const both = [
    ['assets', 'badge'],
    ['assets', 'og'],
  ] as const
  expect((await operator.post(`${path}/assets`, both)).status).toBe(303)
  expect((await operator.post(`${path}/notes`, { notes: 'é'.repeat(500) })).status).toBe(303)
  expect(await stored()).toEqual({ assets: 'og,badge', notes: 'é'.repeat(500) })
  expect(await operator.page(path)).toContain('assets og badge')
  for (const [change, sent, reason] of [
    ['assets', { assets: 'logo' }, 'The list of assets names logo'],
    ['notes', { notes: 'x'.repeat(501) }, 'Notes have at most 500 characters.'],
    ['notes', { notes: 'x'.repeat(5000) }, 'Notes have at most 500 characters.'],
  ] as const) {
    const refused = await operator.post(`${path}/${change}`, sent)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(reason)])
  }
  expect((await operator.post(`${path}/assets`, {})).status).toBe(303)
  expect((await stored())?.assets).toBe('')
})

test.each(cases.forms as [Record<string, string>, string][])(
  'a site of %j is refused with the reason, and nothing changes',
  async (form, reason) => {
    const { path } = await operator.createKey({
      name: 'kept.harbour.dev',
      hosts: 'harbour.dev',
      theme: 'grid',
    })
    const before = await operator.page(path)
    const changed = await operator.post(`${path}/site`, form)
    expect([changed.status, await changed.text()]).toEqual([400, expect.stringContaining(reason)])
    expect(await operator.page(path)).toBe(before)
    const created = await operator.post('/admin/keys', { name: 'new.harbour.dev', ...form })
    const answer = await created.text()
    expect([created.status, answer]).toEqual([400, expect.stringContaining(reason)])
    expect(answer).toContain('value="new.harbour.dev"')
  },
)

const nowMs = 20_000 * 86_400_000
const store = await openTestStore({ path: ':memory:' })
const config = readConfig({ KEY_DAILY_QUOTA: '100' }, () => '')
const deps = { store, config, clock: { now: () => nowMs } } as unknown as Parameters<typeof readKeys>[0]

// Every key was used 1000 times or fewer; only some of them may no more.
const exhausted: string[] = []
for (let number = 0; number < 700; number += 1) {
  const id = `mk_${String(number).padStart(4, '0')}`
  const used = 1000 - number
  const dailyQuota = number % 3 === 0 ? 2000 : null
  const unlimitedUntilMs = number % 5 === 0 ? nowMs + 1 : null
  const revokedAtMs = number % 7 === 0 ? nowMs - 1 : null
  await store.keys.insert({ id, name: `site ${number}`, createdAtMs: number, dailyQuota })
  await store.keys.update(id, { unlimitedUntilMs, revokedAtMs })
  await store.usage.set(20_000, `key:${id}`, used)
  if (used >= 100 && number % 3 !== 0 && number % 5 !== 0 && number % 7 !== 0) exhausted.push(id)
}

async function allPages(query: string, from = deps): Promise<readonly string[]> {
  const ids: string[] = []
  let state: KeysQuery = readListQuery(keysQuery, query)
  for (let pages = 0; pages < 100; pages += 1) {
    const { rows, next } = await readKeys(from, state)
    ids.push(...rows.map(({ id }) => id))
    if (next === undefined) return ids
    state = { ...state, after: next }
  }
  throw new Error('The pages never end.')
}

test('exhausted keys are those whose own limit is used up, each once, whatever lies between them', async () => {
  expect(await allPages('status=exhausted')).toEqual(exhausted)
})

test('the number of exhausted keys is exact, or says that there are more', async () => {
  const shown = await countExhausted(deps)
  expect(shown).toEndWith('+')
  expect(Number.parseInt(shown, 10)).toBeLessThan(exhausted.length)
  const generous = { ...deps, config: { ...config, KEY_DAILY_QUOTA: 990 } } as typeof deps
  expect(await countExhausted(generous)).toBe(String((await allPages('status=exhausted', generous)).length))
})

test('sorted by use or by age, with a status or without, every key comes once', async () => {
  const all = Array.from({ length: 700 }, (_, number) => `mk_${String(number).padStart(4, '0')}`)
  function isRevoked(id: string) {
    return Number(id.slice(3)) % 7 === 0
  }
  expect(await allPages('sort=used')).toEqual(all)
  expect(await allPages('sort=used&status=revoked')).toEqual(all.filter(isRevoked))
  expect(await allPages('')).toEqual(all.toReversed())
  expect(await allPages('status=active')).toEqual(all.filter((id) => !isRevoked(id)).toReversed())
})

test('keys that end soon are listed by their end, and ended ones by theirs, also among those that a search finds', async () => {
  const dayMs = 86_400_000
  const ends = {
    mk_0001: nowMs + 13 * dayMs,
    mk_0002: nowMs + 1,
    mk_0003: nowMs,
    mk_0004: 1,
    mk_0005: nowMs + 15 * dayMs,
  }
  for (const [id, expiresAtMs] of Object.entries({ ...ends, mk_0007: nowMs + 1, mk_0014: nowMs }))
    await store.keys.update(id, { expiresAtMs })
  expect(await allPages('status=ending')).toEqual(['mk_0002', 'mk_0001'])
  expect(await allPages('status=ended')).toEqual(['mk_0003', 'mk_0004'])
  expect(await countEnded(deps, 100)).toBe(2)
  expect(await allPages('status=ending&q=mk_000')).toEqual(['mk_0002', 'mk_0001'])
  expect(await allPages('status=ended&q=site+3')).toContain('mk_0003')
  expect(await allPages('status=ended&sort=used')).toEqual(['mk_0003', 'mk_0004'])
  // An ended key cannot be out of quota.
  expect(await allPages('status=exhausted')).not.toContain('mk_0004')
  for (const id of [...Object.keys(ends), 'mk_0007', 'mk_0014'])
    await store.keys.update(id, { expiresAtMs: null })
})

test('garbage in the query shows a list and never fails', async () => {
  for (const query of [...cases.queries, `q=${'"'.repeat(50)}`])
    await readKeys(deps, readListQuery(keysQuery, query))
})
