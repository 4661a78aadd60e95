import { describe, expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const store = openStore({ path: `${temporaryDirectory()}/list.sqlite` })
const ids = Array.from({ length: 30 }, (_, index) => `mk_${String(index).padStart(4, '0')}`)
ids.forEach((id, index) => {
  store.keys.insert({ id, name: `Site ${index} "quoted" café`, createdAtMs: 1000 + Math.floor(index / 3) })
  if (index % 10 === 0) store.keys.update(id, { revokedAtMs: 5 })
  store.usage.set(7, `key:${id}`, index % 4)
})
store.usage.set(7, 'demo', 999)

describe('lists of keys', () => {
  test('pages follow one another without gap or repetition', () => {
    const listed: string[] = []
    for (let after: string | undefined; ; ) {
      const page = store.keyList.newest('any', 7, after)
      if (page.length === 0) break
      listed.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id
    }
    expect(listed).toEqual(ids.toReversed())
  })

  test('a status shows its keys and no others', () => {
    expect(store.keyList.newest('revoked', 50).map(({ id }) => id)).toEqual(['mk_0020', 'mk_0010', 'mk_0000'])
    expect(store.keyList.newest('active', 50)).toHaveLength(27)
  })

  test('any part of a name or id finds a key, whatever characters it has', () => {
    expect(store.keyList.search('mk_0017', 5).map(({ id }) => id)).toEqual(['mk_0017'])
    expect(store.keyList.search('ite 29 "quo', 5).map(({ id }) => id)).toEqual(['mk_0029'])
    expect(store.keyList.search('CAFÉ', 50)).toHaveLength(30)
    expect(store.keyList.search('nothing" OR "site', 5)).toEqual([])
    store.keys.update('mk_0003', { name: 'Renamed' })
    expect(store.keyList.search('renamed', 5).map(({ id }) => id)).toEqual(['mk_0003'])
    expect(store.keyList.search('Site 3 ', 5)).toEqual([])
  })

  test('the most used ones come first, and only keys', () => {
    const first = store.keyList.mostUsed(7, 10)
    const second = store.keyList.mostUsed(7, 100, {
      used: first.at(-1)?.used ?? 0,
      id: first.at(-1)?.id ?? '',
    })
    const uses = [...first, ...second].map(({ used }) => used)
    expect(uses).toEqual(uses.toSorted((a, b) => b - a))
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(30)
  })

  test('the number of keys is known without counting them', () => {
    expect(store.keys.issued()).toBe(30)
  })
})
