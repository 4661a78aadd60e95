import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { createDocumentLog } from '../../src/store/document-log.ts'
import { openStore } from '../../src/store/open.ts'

function digestOf(url: string): string {
  return hash('sha256', `document ${url}`, 'hex').slice(0, 32)
}

test('the operator learns how reading a document went, and how often it was asked for', async () => {
  const store = openStore({ path: ':memory:' })
  const clock = { now: () => 1_000 }
  const record = createDocumentLog(store, clock)
  const url = 'https://example.com/coverage.json'
  record('document', url, { failure: undefined, requests: 1 })
  record('document', url, { failure: 'target_http_status', requests: 4 })
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
  record('document', url, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  expect(await store.webSources.find(digestOf(url))).toMatchObject({ reason: null, requests: 6, failures: 1 })
  await store.close()
})

test('documents that nobody uses make room for others', async () => {
  const store = openStore({ path: ':memory:' })
  let nowMs = 0
  const record = createDocumentLog(store, { now: () => nowMs }, 10)
  for (nowMs = 1; nowMs <= 30; nowMs += 1)
    record('document', `https://example.com/${nowMs}`, { failure: undefined, requests: 1 })
  await store.deferred.flush()
  expect(await store.webSources.count('document')).toBe(10)
  expect(await store.webSources.find(digestOf('https://example.com/30'))).toBeDefined()
  await store.close()
})
