import type { BrandRevisionFileRow } from '../store/brands.ts'
import type { Store } from '../store/open.ts'
import type { Steps } from '../store/operation.ts'
import { type BrandChange, brandFileFields } from './brand-form.ts'
import { type BrandLook, changedLook, lookDigest } from './brand-look.ts'
import { storedFile } from './stored-file.ts'

interface NewRevision {
  readonly slug: string
  /** Whether it is the first one of a new brand. */
  readonly isFirst: boolean
  readonly change: BrandChange
  readonly nowMs: number
}

/**
 * Stores the next revision of a brand: what the last one has, with the change. Belongs into a transaction that holds the
 * lock of the brand. Returns its number; undefined where a new brand's slug is taken, or where there is no such brand.
 */
export function* storeRevision(
  brands: Store['brands'],
  { slug, isFirst, change, nowMs }: NewRevision,
): Steps<number | undefined> {
  const row = yield* brands.find(slug)
  if ((row === undefined) !== isFirst) return undefined
  const revision = (row?.revision ?? 0) + 1
  const last = yield* brands.revision(slug, revision - 1)
  const files = yield* changedFiles(brands, slug, revision, change)
  const look = changedLook(last === undefined ? {} : (JSON.parse(last.look) as BrandLook), change.look)
  const access = change.access ?? row?.access ?? 'everyone'
  if (row === undefined)
    yield* brands.insert({ slug, revision, access, createdAtMs: nowMs, archivedAtMs: null })
  else yield* brands.raise(revision, access, slug)
  yield* brands.insertRevision({
    slug,
    revision,
    name: change.name ?? last?.name ?? slug,
    look: JSON.stringify(look),
    digest: lookDigest(look, files),
    createdAtMs: nowMs,
  })
  for (const file of files) yield* brands.insertFileOf(file)
  return revision
}

/** Stores the new files, and returns all that the revision uses. */
function* changedFiles(
  brands: Store['brands'],
  slug: string,
  revision: number,
  { files: changes }: BrandChange,
): Steps<readonly BrandRevisionFileRow[]> {
  const lastFiles = yield* brands.filesOf(slug, revision - 1)
  const files: BrandRevisionFileRow[] = []
  for (const field of brandFileFields) {
    const added = changes[field]
    const kept = lastFiles.find((file) => file.field === field)
    if (added) {
      const file = storedFile(added.content)
      yield* brands.addFile(file)
      const { uploadName, uploadBytes } = added
      files.push({ slug, revision, field, sha256: file.sha256, uploadName, uploadBytes })
    } else if (added === undefined && kept !== undefined) files.push({ ...kept, revision })
  }
  return files
}
