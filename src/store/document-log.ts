import { hash } from 'node:crypto'
import type { RecordSource } from '../assets/record-source.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from './open.ts'
import { createPageStore } from './page-store.ts'

/** Stores how reading the documents of live badges went, for the operator. Nobody waits for it. */
export function createDocumentLog(
  store: Pick<Store, 'webSources' | 'deferred'>,
  { now }: Clock,
  documentsMax?: number,
): RecordSource {
  const documents = createPageStore(store, documentsMax, 'document')
  return (kind, url, { failure, requests }) => {
    const digest = hash('sha256', `${kind} ${url}`, 'hex').slice(0, 32)
    const atMs = now()
    if (failure === undefined)
      documents.setRead({ digest, url, facts: null, etag: null, lastModified: null, atMs })
    else documents.setFailed({ digest, url, reason: failure, atMs })
    documents.addUse(digest, requests, atMs)
  }
}
