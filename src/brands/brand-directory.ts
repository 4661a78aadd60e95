import { createHash } from 'node:crypto'
import type { CardBrand, CardBrands, ResolvedBrand } from '../assets/og/brand/card-brand.ts'
import { createByteCache } from '../lib/byte-cache.ts'
import { type Clock, utcDay } from '../lib/clock.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type {
  BrandAccess,
  BrandFileField,
  BrandFileRow,
  BrandRevisionFileRow,
  BrandRevisionRow,
  BrandUse,
} from '../store/brands.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { Store } from '../store/open.ts'
import { type BrandFont, type CardFont, factsText } from '../text/brand-fonts/brand-font.ts'
import {
  type BrandChange,
  type BrandFiles,
  type BrandLook,
  brandFileFields,
  changedLook,
  type FileContent,
  lookDigest,
} from './brand-form.ts'

export interface BrandEntry {
  readonly slug: string
  readonly name: string
  readonly revision: number
  readonly access: BrandAccess
  /** The keys that may use it while `access` is `keys`. */
  readonly keyIds: ReadonlySet<string>
  readonly archivedAtMs: number | undefined
  readonly createdAtMs: number
  /** Digests of revision 1, 2, …: equal digests, equal looks. */
  readonly digests: readonly string[]
}

export type BrandDirectory = ReturnType<typeof createBrandDirectory>

/** All brands in memory. Own changes are read at once, those of other processes by the watch of changes, some times a second. */
export function createBrandDirectory({
  brands,
  changes,
}: Pick<Store, 'brands'> & { readonly changes: Pick<Store['changes'], 'followBrands'> }) {
  let entries: ReadonlyMap<string, BrandEntry> = new Map()
  let version = 0
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function read(): Promise<void> {
    const [rows, keys] = await Promise.all([brands.all(), brands.keys()])
    const keysOf = Map.groupBy(keys, ({ slug }) => slug)
    const found = await Promise.all(
      rows.map(async ({ slug, revision, archivedAtMs, ...row }): Promise<BrandEntry> => {
        const { name = '', digests = [] } = entries.get(slug) ?? {}
        const added = digests.length < revision ? await brands.digests(slug, digests.length) : []
        const all = [...digests, ...added.map(({ digest }) => digest)]
        return {
          ...row,
          slug,
          // A revision that was added after the brands were read is found again the next time.
          revision: all.length,
          name: added.at(-1)?.name ?? name,
          digests: all,
          keyIds: new Set(keysOf.get(slug)?.map(({ keyId }) => keyId)),
          archivedAtMs: archivedAtMs ?? undefined,
        }
      }),
    )
    entries = new Map(found.map((entry) => [entry.slug, entry]))
    version += 1
  }

  /** Reads what is stored now, also where another reading is on its way that may have begun before. */
  function refresh(): Promise<void> {
    next ??= (reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined
        reading = read()
        return reading
      })
    return next
  }

  changes.followBrands(refresh)

  return {
    refresh,
    find: (slug: string): BrandEntry | undefined => entries.get(slug),
    list: (): readonly BrandEntry[] => [...entries.values()],
    /** Another number after each reading. */
    version: () => version,
  }
}

/** The time that counts stay in memory, where a crash loses them: they only tell the operator what is in use. */
const delayMs = 1_000
/** Counts that may wait to be stored, one for each brand and caller; more are not counted. */
const countsMax = 20_000
const useDays = 30

/** Counts the cards of each brand by day and caller. */
export function createBrandUse(store: Pick<Store, 'brandDays' | 'transaction'>, clock: Clock) {
  let waiting = new Map<string, readonly [day: number, slug: string, caller: string, count: number]>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function add(day: number, slug: string, caller: string, count: number): void {
    const name = `${day} ${slug} ${caller}`
    const existing = waiting.get(name)
    if (existing === undefined && waiting.size >= countsMax) return
    waiting.set(name, [day, slug, caller, count + (existing?.[3] ?? 0)])
    timer ??= setTimeout(flush, delayMs)
    timer.unref()
  }

  /** Stores the counts now. To be called before the store is closed. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const counts = waiting
    waiting = new Map()
    // In one order, so that two processes never wait for each other's rows.
    const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
    try {
      await store.transaction(function* () {
        for (const [, row] of sorted) yield* store.brandDays.add(...row)
      })
    } catch {
      // The store is busy or away: the counts are kept and tried again.
      for (const row of counts.values()) add(...row)
    }
  }

  return {
    /** @param caller a key's id, `demo` or `payment` */
    count: (slug: string, caller: string): void => add(utcDay(clock.now()), slug, caller, 1),
    flush,
    /** Cards of the brand in the last 30 days, and the keys that had them: what archiving would break. */
    read: (slug: string): PromiseLike<BrandUse> =>
      store.brandDays.use(slug, utcDay(clock.now()) - useDays + 1),
  }
}

/** Limits of the caches of revisions and of their files, without the bytes of fonts, which the text engine caches. */
export const brandCacheBytes = { brandFiles: 5 * 2 ** 20, brandRevisions: 2 ** 20 } as const
/** Estimated size of the facts about a font: its characters, and where its marks go. */
const fontFactsBytes = 64 * 1024

/** The files of a stored brand, whose fonts are read by the engine. */
type UsedFiles = BrandFiles<CardFont>
type UsedFile = UsedFiles[BrandFileField]

export interface StoredRevision extends Omit<BrandRevisionRow, 'look'> {
  readonly look: BrandLook
  readonly files: readonly BrandRevisionFileRow[]
}

export type BrandLoader = ReturnType<typeof createBrandLoader>

export function createBrandLoader({ brands }: Pick<Store, 'brands'>) {
  const files = createByteCache<{ readonly content: UsedFile; readonly bytes: number }>(
    brandCacheBytes.brandFiles,
    ({ bytes }) => bytes,
  )
  const revisions = createByteCache<StoredRevision>(brandCacheBytes.brandRevisions, () => 2_000)
  const coalesce = createCoalescer<CardBrand>()

  function revision(slug: string, number: number): StoredRevision | Promise<StoredRevision> {
    return revisions.getOrCreate(`${slug}@${number}`, async () => {
      const row = await brands.revision(slug, number)
      if (row === undefined) throw new Error(`There is no revision ${number} of the brand ${slug}.`)
      return { ...row, look: JSON.parse(row.look) as BrandLook, files: await brands.filesOf(slug, number) }
    })
  }

  async function storedRow(sha256: string): Promise<BrandFileRow> {
    const row = await brands.file(sha256)
    if (row === undefined) throw new Error(`The file ${sha256} of a brand is missing.`)
    return row
  }

  async function file(sha256: string): Promise<UsedFile> {
    const { content } = await files.getOrCreate(sha256, async () => {
      const row = await storedRow(sha256)
      const content = fileContent(row)
      if (row.mediaType !== fontType) return { content, bytes: row.bytes.length }
      const { key, bytes } = content as BrandFont
      const read = async () => (await storedRow(sha256)).bytes
      return { content: { key, facts: factsText(bytes), read }, bytes: fontFactsBytes }
    })
    return content
  }

  return {
    revision,
    file,
    async themeFile(slug: string, number: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const used = (await revision(slug, number)).files.find(({ field }) => field === 'themeFile')
      const content = used && (await file(used.sha256))
      return content && 'json' in content ? content.bytes : undefined
    },
    load: (slug: string, number: number): Promise<CardBrand> =>
      coalesce(`${slug}@${number}`, async () => {
        const { look, files: used } = await revision(slug, number)
        return cardBrand(`${slug}@${number}`, look, Object.fromEntries(await contentsOf(used, file)))
      }),
  }
}

function contentsOf(files: readonly BrandRevisionFileRow[], read: BrandLoader['file']) {
  return Promise.all(files.map(async ({ field, sha256 }) => [field, await read(sha256)] as const))
}

function cardBrand(
  key: string,
  { focus = { x: 50, y: 50 }, ...look }: BrandLook,
  { picture, themeFile, ...files }: Partial<UsedFiles>,
): CardBrand {
  return {
    key,
    ...look,
    ...files,
    ...(picture && { picture: { ...picture, focus } }),
    ...(themeFile && { themeFile: { key: themeFile.key, json: themeFile.json } }),
  }
}

/** The greatest age of the last look for changes by other processes. */
const changesMsMax = 1_000

/** The brands, as cards ask for them. Only the files of a revision are read from the database, and only once. */
export function createCardBrands(
  directory: Pick<BrandDirectory, 'find' | 'version'>,
  loader: Pick<BrandLoader, 'load'>,
  changes: Pick<ChangeWatch, 'ageMs' | 'check'>,
  count: (slug: string, caller: string) => void,
): CardBrands {
  function resolve(given: string): ResolvedBrand | string {
    const [slug = '', number] = given.split('@')
    const entry = directory.find(slug)
    if (entry === undefined) return `must be the slug of a brand, and there is no brand ${slug}`
    if (entry.archivedAtMs !== undefined) return `must be a brand in use, and ${slug} is archived`
    const revision = number === undefined ? entry.revision : Number(number)
    const digest = entry.digests[revision - 1]
    if (digest === undefined)
      return `must be a revision that there is: ${slug} has 1 to ${entry.revision}, not ${revision}`
    const version = directory.version()
    return {
      reference: `${slug}@${revision}`,
      key: digest,
      keyIds: entry.access === 'keys' ? entry.keyIds : undefined,
      isCurrent: () => version === directory.version(),
      recheck: () => (changes.ageMs() <= changesMsMax ? undefined : changes.check()),
      count: ({ mode, keyId = mode }) => count(slug, keyId),
    }
  }

  function load(reference: string): Promise<CardBrand> {
    const [slug = '', number] = reference.split('@')
    return loader.load(slug, Number(number))
  }

  return { resolve, load }
}

/** The files of a brand after a change: those that it brings, with their rows in the store, and those of the last revision that stay. */
export function filesAfter(last: readonly BrandRevisionFileRow[], { files }: BrandChange) {
  const added = brandFileFields.flatMap((field) => {
    const file = files[field]
    if (!file) return []
    const row = storedFile(file.content)
    return [{ field, sha256: row.sha256, row, file }]
  })
  return { added, unchanged: last.filter(({ field }) => files[field] === undefined) }
}

const fontType = 'font/sfnt'

/** A file as the store keeps it: under the SHA-256 of all that is kept. */
function storedFile(content: FileContent): BrandFileRow {
  const [mediaType, facts, bytes] = partsOf(content)
  const text = JSON.stringify(facts)
  const hash = createHash('sha256').update(`${mediaType}\n${text}\n`).update(bytes)
  return { sha256: hash.digest('hex'), mediaType, facts: text, bytes }
}

function partsOf(content: FileContent) {
  if ('shapes' in content)
    return ['application/json', {}, new TextEncoder().encode(JSON.stringify(content))] as const
  if ('jpeg' in content) {
    const { jpeg, ...facts } = content
    return ['image/jpeg', facts, jpeg] as const
  }
  if ('png' in content) {
    const { png, ...facts } = content
    return ['image/png', facts, png] as const
  }
  const { bytes, ...facts } = content
  return ['json' in content ? 'application/yaml' : fontType, facts, bytes] as const
}

/** Reads a stored file. The store holds only files that `storedFile` made, so their form is not checked again. */
export function fileContent({ mediaType, facts: text, bytes: stored }: BrandFileRow): FileContent {
  // A driver may return a part of a larger buffer.
  const bytes = new Uint8Array(stored)
  if (mediaType === 'application/json') return JSON.parse(new TextDecoder().decode(bytes))
  const name = { 'image/jpeg': 'jpeg', 'image/png': 'png' }[mediaType] ?? 'bytes'
  return { ...JSON.parse(text), [name]: bytes }
}

/** The look of cards after a change of the last revision. */
export async function draftBrand(
  change: BrandChange,
  last: StoredRevision | undefined,
  loader: Pick<BrandLoader, 'file'>,
): Promise<CardBrand> {
  const { added, unchanged } = filesAfter(last?.files ?? [], change)
  const look = changedLook(last?.look ?? {}, change)
  const contents = [
    ...(await contentsOf(unchanged, loader.file)),
    ...added.map(({ field, file: { content } }) => [field, content] as const),
  ]
  const digest = lookDigest(look, [...unchanged, ...added])
  return cardBrand(`draft ${digest}`, look, Object.fromEntries(contents))
}
