import { describe, expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const store = openStore({ path: `${temporaryDirectory()}/list.sqlite` })
const ids = Array.from({ length: 30 }, (_, index) => `mk_${String(index).padStart(4, '0')}`)
for (const [index, id] of ids.entries()) {
  await store.keys.insert({
    id,
    name: `Site ${index} "quoted" café`,
    createdAtMs: 1000 + Math.floor(index / 3),
  })
  if (index % 10 === 0) await store.keys.update(id, { revokedAtMs: 5 })
  await store.usage.set(7, `key:${id}`, index % 4)
}
await store.usage.set(7, 'demo', 999)

describe('lists of keys', () => {
  test('pages follow one another without gap or repetition', async () => {
    const listed: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await store.keyList.newest('any', 7, after)
      if (page.length === 0) break
      listed.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id
    }
    expect(listed).toEqual(ids.toReversed())
  })

  test('a status shows its keys and no others', async () => {
    expect((await store.keyList.newest('revoked', 50)).map(({ id }) => id)).toEqual([
      'mk_0020',
      'mk_0010',
      'mk_0000',
    ])
    expect(await store.keyList.newest('active', 50)).toHaveLength(27)
  })

  test('keys that end within a span come in the order of their ends, page by page, without revoked ones', async () => {
    const ends = new Map([5, 9, 9, 9, 12, 20, 21].map((endMs, index) => [`mk_000${index + 1}`, endMs]))
    for (const [id, expiresAtMs] of ends) await store.keys.update(id, { expiresAtMs })
    await store.keys.update('mk_0010', { expiresAtMs: 10 })
    async function pages(order: 'first' | 'last', afterMs: number, upToMs: number) {
      const listed: string[] = []
      for (;;) {
        const page = await store.keyList.ending(order, { afterMs, upToMs }, 2, listed.at(-1))
        if (page.length === 0) return listed
        listed.push(...page.map(({ id }) => id))
      }
    }
    const within = ['mk_0002', 'mk_0003', 'mk_0004', 'mk_0005', 'mk_0006']
    expect(await pages('first', 5, 20)).toEqual(within)
    expect(await pages('last', 5, 20)).toEqual(within.toReversed())
    expect(await store.keyList.endingCount({ afterMs: 5, upToMs: 20 }, 100)).toBe(5)
    expect(await store.keyList.endingCount({ afterMs: 5, upToMs: 20 }, 3)).toBe(3)
    for (const id of [...ends.keys(), 'mk_0010']) await store.keys.update(id, { expiresAtMs: null })
    expect(await pages('first', 0, Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test('any part of a name or id finds a key, whatever characters it has', async () => {
    expect((await store.keyList.search('mk_0017', 5)).map(({ id }) => id)).toEqual(['mk_0017'])
    expect((await store.keyList.search('ite 29 "quo', 5)).map(({ id }) => id)).toEqual(['mk_0029'])
    expect(await store.keyList.search('CAFÉ', 50)).toHaveLength(30)
    expect(await store.keyList.search('nothing" OR "site', 5)).toEqual([])
    await store.keys.update('mk_0003', { name: 'Renamed' })
    expect((await store.keyList.search('renamed', 5)).map(({ id }) => id)).toEqual(['mk_0003'])
    expect(await store.keyList.search('Site 3 ', 5)).toEqual([])
  })

  test('the most used ones come first, and only keys', async () => {
    const first = await store.keyList.mostUsed(7, 10)
    const second = await store.keyList.mostUsed(7, 100, {
      used: first.at(-1)?.used ?? 0,
      id: first.at(-1)?.id ?? '',
    })
    const uses = [...first, ...second].map(({ used }) => used)
    expect(uses).toEqual(uses.toSorted((a, b) => b - a))
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(30)
  })

  test('the number of keys is known without counting them', async () => {
    expect(await store.keys.issued()).toBe(30)
  })
})
