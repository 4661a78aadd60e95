import { type Columns, columnsOf, selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { Operation, Steps } from './operation.ts'
import { statementsOf } from './statements.ts'

/** What is true of all revisions of a brand. */
export interface BrandRow {
  readonly slug: string
  /** The newest; they are counted from 1, without gaps. */
  readonly revision: number
  readonly access: BrandAccess
  readonly archivedAtMs: number | null
  readonly createdAtMs: number
}

/** Who may have cards of a brand: everybody, or the keys that the operator chose. */
export type BrandAccess = 'everyone' | 'keys'

/** One save of a brand. */
export interface BrandRevisionRow {
  readonly slug: string
  readonly revision: number
  readonly name: string
  /** JSON. */
  readonly look: string
  readonly digest: string
  readonly createdAtMs: number
}

export type BrandFileField = 'logo' | 'titleFont' | 'textFont' | 'picture'

/** A file that a revision uses. */
export interface BrandRevisionFileRow {
  readonly slug: string
  readonly revision: number
  readonly field: BrandFileField
  readonly sha256: string
  readonly uploadName: string
  readonly uploadBytes: number
}

export interface BrandFileRow {
  readonly sha256: string
  readonly mediaType: string
  /** JSON. */
  readonly facts: string
  readonly bytes: Uint8Array
}

export const brandColumns: Columns<BrandRow> = columnsOf('slug revision access archivedAtMs createdAtMs')
export const brandRevisionColumns: Columns<BrandRevisionRow> = columnsOf(
  'slug revision name look digest createdAtMs',
)
export const brandRevisionFileColumns: Columns<BrandRevisionFileRow> = columnsOf(
  'slug revision field sha256 uploadName uploadBytes',
)
export const brandFileColumns: Columns<BrandFileRow> = columnsOf('sha256 mediaType facts bytes')

/** Brands, all their revisions, and the files of these. Revisions and files are never changed or removed. */
export function createBrandTable(database: Database) {
  const { one, all, write, change, insert } = statementsOf(database)
  const durable = statementsOf(database, true)
  const brand = selectList(brandColumns)
  const revision = selectList(brandRevisionColumns)
  const files = selectList(brandRevisionFileColumns)
  const addFile = change(
    `insert into brand_files (sha256, media_type, facts, bytes) values (?, ?, ?, ?) on conflict do nothing`,
  )
  const jpegWithKey = one<[pattern: string], BrandFileRow>(
    `select ${selectList(brandFileColumns)} from brand_files where media_type = 'image/jpeg' and facts like ? limit 1`,
  )
  const removeKey = write<[keyId: string]>('delete from brand_keys where key_id = ?')
  const addKey = write<[slug: string, keyId: string]>('insert into brand_keys (slug, key_id) values (?, ?)')
  return {
    all: all<[], BrandRow>(`select ${brand} from brands order by slug`),
    find: one<[slug: string], BrandRow>(`select ${brand} from brands where slug = ?`),
    insert: insert('brands', brandColumns),
    /** Counts the next revision. */
    raise: write<[revision: number, access: BrandAccess, slug: string]>(
      'update brands set revision = ?, access = ? where slug = ?',
    ),
    /** Returns false if there is no such brand. */
    setArchived: durable.change<[archivedAtMs: number | null, slug: string]>(
      'update brands set archived_at_ms = ? where slug = ?',
    ),
    insertRevision: insert('brand_revisions', brandRevisionColumns),
    revision: one<[slug: string, revision: number], BrandRevisionRow>(
      `select ${revision} from brand_revisions where slug = ? and revision = ?`,
    ),
    /** Every revision of a brand, newest first, at most `limit` below `beforeRevision`. */
    revisions: all<[slug: string, beforeRevision: number, limit: number], BrandRevisionRow>(
      `select ${revision} from brand_revisions where slug = ? and revision < ? order by revision desc limit ?`,
    ),
    /** The digests of a brand's revisions after one, in their order. */
    digests: all<[slug: string, afterRevision: number], Pick<BrandRevisionRow, 'digest' | 'name'>>(
      'select digest, name from brand_revisions where slug = ? and revision > ? order by revision',
    ),
    insertFileOf: insert('brand_revision_files', brandRevisionFileColumns),
    filesOf: all<[slug: string, revision: number], BrandRevisionFileRow>(
      `select ${files} from brand_revision_files where slug = ? and revision = ? order by field`,
    ),
    /** Stores the bytes unless they are stored already. */
    addFile: ({ sha256, mediaType, facts, bytes }: BrandFileRow): Operation<boolean> =>
      addFile(sha256, mediaType, facts, bytes),
    file: one<[sha256: string], BrandFileRow>(
      `select ${selectList(brandFileColumns)} from brand_files where sha256 = ?`,
    ),
    /** A stored picture by the SHA-256 of its JPEG, in hex. */
    jpegWithKey: (key: string): Operation<BrandFileRow | undefined> => jpegWithKey(`%"key":"${key}"%`),
    /** Which keys may use which brands. */
    keys: all<[], { readonly slug: string; readonly keyId: string }>(
      'select slug, key_id as "keyId" from brand_keys order by slug, key_id',
    ),
    /** Lets a key use these brands and no others. Belongs into a transaction. */
    *setKey(keyId: string, slugs: readonly string[]): Steps<void> {
      yield* removeKey(keyId)
      for (const slug of slugs) yield* addKey(slug, keyId)
    },
  }
}
