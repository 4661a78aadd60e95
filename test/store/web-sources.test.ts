import { beforeAll, expect, test } from 'bun:test'
import { createPageStore } from '../../src/store/page-store.ts'
import { started } from '../support/started.ts'
import { openTestStore } from '../support/test-store.ts'

let pages: ReturnType<typeof createPageStore>
const store = started(() => openTestStore({ path: ':memory:' }))
beforeAll(async () => {
  pages = createPageStore(store, pagesMax)
})

const pagesMax = 500
const facts = { facts: '{}', etag: '"v1"', lastModified: null }
function page(number: number) {
  return { digest: String(number).padStart(32, '0'), url: `https://example.com/${number}` }
}

test('a page that could not be read keeps its facts, and counts from when it was gone', async () => {
  pages.setRead({ ...page(1), ...facts, atMs: 1_000 })
  pages.setFailed({ ...page(1), reason: 'dns_error', atMs: 2_000 })
  pages.setFailed({ ...page(1), reason: 'target_http_status 404', atMs: 3_000 })
  await store.deferred.flush()
  expect(await pages.find(page(1).digest)).toMatchObject({
    facts: '{}',
    readAtMs: 1_000,
    failedAtMs: 3_000,
    goneAtMs: 2_000,
    reason: 'target_http_status 404',
    failures: 2,
  })
  pages.setRead({ ...page(1), ...facts, atMs: 4_000 })
  await store.deferred.flush()
  expect(await pages.find(page(1).digest)).toMatchObject({ failedAtMs: null, goneAtMs: null, failures: 2 })
})

test('of all who claim a page one may read it, until it was read or the claim is over', async () => {
  pages.setRead({ ...page(2), ...facts, atMs: 1_000 })
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => pages.claim(page(2).digest, 1_000, 5_000, 35_000)),
  )
  expect(claims.filter((isOurs) => isOurs)).toHaveLength(1)
  expect(await pages.claim(page(2).digest, 1_000, 36_000, 66_000)).toBe(true)
  pages.setRead({ ...page(2), ...facts, atMs: 37_000 })
  expect(await pages.claim(page(2).digest, 1_000, 37_000, 67_000)).toBe(false)
  expect(await pages.claim(page(2).digest, 37_000, 37_000, 67_000)).toBe(true)
})

test('a claim from a clock that was set back since ends too', async () => {
  pages.setRead({ ...page(3), ...facts, atMs: 1_000 })
  expect(await pages.claim(page(3).digest, 1_000, 9_000_000, 9_030_000)).toBe(true)
  expect(await pages.claim(page(3).digest, 1_000, 5_000, 35_000)).toBe(true)
})

test('pages that visitors of sites asked for in vain are few, take no room of others, and are pages once they are read', async () => {
  const url = (number: number) => ({ ...page(5_000_000 + number), url: `https://example.com/none/${number}` })
  pages.setRead({ ...page(4), ...facts, atMs: 1_000 })
  pages.setFailed({ ...page(4), reason: 'dns_error', atMs: 2_000 }, true)
  for (let number = 0; number < 700; number += 1)
    pages.setFailed({ ...url(number), reason: 'target_http_status 404', atMs: 10_000 + number }, true)
  await store.deferred.flush()
  expect(await store.webSources.count('unread_page')).toBeLessThanOrEqual(500)
  expect(await pages.find(page(4).digest)).toMatchObject({ kind: 'page', facts: '{}' })
  expect(await pages.find(url(0).digest)).toBeUndefined()
  expect(await pages.find(url(699).digest)).toMatchObject({ kind: 'unread_page' })
  const failing = await store.webSources.list('failing', 1_000)
  expect(failing.map((source) => source.url)).toContain(url(699).url)
  pages.setRead({ ...url(699), ...facts, atMs: 20_000 })
  await store.deferred.flush()
  expect(await pages.find(url(699).digest)).toMatchObject({ kind: 'page', reason: null })
})

test('the pages that were not used for longest make room for new ones', async () => {
  await store.transaction(function* () {
    for (let number = 10; number < pagesMax + 10; number += 1)
      yield* store.webSources.setRead({ kind: 'page', ...page(number), ...facts, atMs: 1_000_000 + number })
  })
  pages.addUse(page(10).digest, 3, 9_000_000)
  for (let number = 0; number < 300; number += 1)
    pages.setRead({ ...page(1_000_000 + number), ...facts, atMs: 8_000_000 + number })
  await store.deferred.flush()
  expect(await store.webSources.count('page')).toBeLessThanOrEqual(pagesMax)
  expect(await pages.find(page(10).digest)).toMatchObject({ requests: 3 })
  expect(await pages.find(page(11).digest)).toBeUndefined()
  expect(await pages.find(page(1_000_299).digest)).toBeDefined()
})

test('addresses that were never read make room before pages whose facts are known, so that none is pushed out by them', async () => {
  const other = createPageStore(store, pagesMax, 'document')
  await store.transaction(function* () {
    for (let number = 2_000; number < pagesMax + 1_999; number += 1)
      yield* store.webSources.setFailed({
        kind: 'document',
        ...page(number),
        reason: 'dns_error',
        atMs: 9_000,
      })
  })
  other.setRead({ ...page(3_000), ...facts, atMs: 1_000 })
  for (let number = 4_000; number < 4_010; number += 1)
    other.setFailed({ ...page(number), reason: 'dns_error', atMs: 10_000 })
  await store.deferred.flush()
  expect(await other.find(page(3_000).digest)).toMatchObject({ facts: '{}' })
  expect(await store.webSources.count('document')).toBeLessThanOrEqual(pagesMax)
})
