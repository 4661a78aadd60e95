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
  const added = brandFileFields.flatMap((field) => {
    const change = changes[field]
    return change ? [{ field, change, file: storedFile(change.content) }] : []
  })
  // In one order: transactions that bring the same files would else wait for each other.
  for (const { file } of added.toSorted((one, other) => (one.file.sha256 < other.file.sha256 ? -1 : 1)))
    yield* brands.addFile(file)
  const lastFiles = yield* brands.filesOf(slug, revision - 1)
  const unchangedFiles = lastFiles.filter(({ field }) => changes[field] === undefined)
  const files = [
    ...unchangedFiles.map((file) => ({ ...file, revision })),
    ...added.map(({ field, change: { uploadName, uploadBytes }, file: { sha256 } }) => {
      return { slug, revision, field, sha256, uploadName, uploadBytes }
    }),
  ]
  return files
}
