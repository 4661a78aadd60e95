import type { Store } from '../store/open.ts'
import type { Steps } from '../store/operation.ts'

/**
 * Stores an older revision of a brand once more, as the newest. Who may use the brand stays as it is. Belongs into a
 * transaction that holds the lock of the brand. Returns the number of the new one; undefined where there is no such revision.
 */
export function* repeatRevision(
  brands: Store['brands'],
  slug: string,
  revision: number,
  nowMs: number,
): Steps<number | undefined> {
  const row = yield* brands.find(slug)
  const repeated = yield* brands.revision(slug, revision)
  if (row === undefined || repeated === undefined) return undefined
  const next = row.revision + 1
  yield* brands.raise(next, row.access, slug)
  yield* brands.insertRevision({ ...repeated, revision: next, createdAtMs: nowMs })
  for (const file of yield* brands.filesOf(slug, revision))
    yield* brands.insertFileOf({ ...file, revision: next })
  return next
}
