import { expect, test } from 'bun:test'
import {
  countEndings,
  countExhausted,
  type KeysQuery,
  keysQuery,
  readKeys,
} from '../../admin/lists/read-keys.ts'
import { readListQuery } from '../../admin/routes.ts'
import { readConfig } from '../../src/config.ts'
import { openTestStore } from '../support/test-store.ts'

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

/** Follows the pages to the end. */
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
  expect(await countEndings(deps, 100)).toEqual({ soon: 2, ended: 2 })
  expect(await allPages('status=ending&q=mk_000')).toEqual(['mk_0002', 'mk_0001'])
  expect(await allPages('status=ended&q=site+3')).toContain('mk_0003')
  expect(await allPages('status=ended&sort=used')).toEqual(['mk_0003', 'mk_0004'])
  // An ended key cannot be out of quota.
  expect(await allPages('status=exhausted')).not.toContain('mk_0004')
  for (const id of [...Object.keys(ends), 'mk_0007', 'mk_0014'])
    await store.keys.update(id, { expiresAtMs: null })
})

test('garbage in the query shows a list and never fails', async () => {
  for (const query of [
    'after=%00',
    'after=nothing',
    'sort=used&after=x.y',
    'sort=used&after=1e999.mk_1',
    'status=x&sort=y',
    `q=${'"'.repeat(50)}`,
    'q=%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80',
  ])
    await readKeys(deps, readListQuery(keysQuery, query))
})
