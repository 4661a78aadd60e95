import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { openStore } from '../../src/store/open.ts'
import { createDocumentList } from '../../src/store/page-store.ts'

function digestOf(url: string): string {
  return hash('sha256', `document ${url}`, 'hex').slice(0, 32)
}

test('the operator learns how reading a document went, and how often it was asked for', async () => {
  const store = openStore({ path: ':memory:' })
  const clock = { now: () => 1_000 }
  const { record } = createDocumentList(store, clock)
  const url = 'https://example.com/coverage.json'
  record(url, { failure: undefined, requests: 1 })
  record(url, { failure: 'target_http_status', requests: 4 })
  await store.deferred.flush()
  expect(await store.webSources.find(digestOf(url))).toMatchObject({
    kind: 'document',
    url,
    readAtMs: 1_000,
    failedAtMs: 1_000,
    reason: 'target_http_status',
    requests: 5,
    failures: 1,
  })
  record(url, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  expect(await store.webSources.find(digestOf(url))).toMatchObject({ reason: null, requests: 6, failures: 1 })
  await store.close()
})

test('documents that nobody uses make room for others', async () => {
  const store = openStore({ path: ':memory:' })
  let nowMs = 0
  const { record } = createDocumentList(store, { now: () => nowMs }, 10)
  for (nowMs = 1; nowMs <= 30; nowMs += 1)
    record(`https://example.com/${nowMs}`, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  expect(await store.webSources.count('document')).toBe(10)
  expect(await store.webSources.find(digestOf('https://example.com/30'))).toBeDefined()
  await store.close()
})

test('another server learns of the orders of the operator within a minute, while the document is in use', async () => {
  const store = openStore({ path: ':memory:' })
  let nowMs = 1_000
  const [here, there] = [store, store].map((each) => createDocumentList(each, { now: () => nowMs }))
  const url = 'https://example.com/version.json'
  expect(there?.peek(url)).toBeUndefined()
  expect(await there?.load(url)).toMatchObject({ isBlocked: false, renewals: 0 })
  here?.record(url, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  await store.webSources.setBlocked(digestOf(url), true)
  await store.webSources.renew(digestOf(url))
  expect(await here?.reload(url)).toMatchObject({ isBlocked: true, renewals: 1 })
  nowMs += 59_000
  expect(there?.peek(url)).toMatchObject({ isBlocked: false })
  nowMs += 2_000
  there?.peek(url)
  await Bun.sleep(0)
  expect(there?.peek(url)).toMatchObject({ isBlocked: true, renewals: 1 })
  await store.close()
})
