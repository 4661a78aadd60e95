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
  BrandUse,
} from '../store/brands.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { Store } from '../store/open.ts'
import { type CardFont, factsText } from '../text/brand-fonts/brand-font.ts'
import {
  type BrandChange,
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

export type UsedFile =
  | Exclude<FileContent, { kind: 'font' }>
  | { readonly kind: 'font'; readonly font: CardFont }

export interface StoredRevision {
  readonly slug: string
  readonly revision: number
  readonly name: string
  readonly look: BrandLook
  readonly files: readonly BrandRevisionFileRow[]
  readonly createdAtMs: number
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
      if (content.kind !== 'font') return { content, bytes: row.bytes.length }
      const { key, bytes } = content.font
      const font = { key, facts: factsText(bytes), read: async () => (await storedRow(sha256)).bytes }
      return { content: { kind: 'font', font }, bytes: fontFactsBytes }
    })
    return content
  }

  return {
    revision,
    file,
    async themeFile(slug: string, number: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const used = (await revision(slug, number)).files.find(({ field }) => field === 'themeFile')
      const content = used && (await file(used.sha256))
      return content?.kind === 'theme' ? content.theme.bytes : undefined
    },
    load: (slug: string, number: number): Promise<CardBrand> =>
      coalesce(`${slug}@${number}`, async () => {
        const { look, files: used } = await revision(slug, number)
        const contents = await Promise.all(
          used.map(async ({ field, sha256 }) => [field, await file(sha256)] as const),
        )
        return cardBrand(`${slug}@${number}`, look, Object.fromEntries(contents))
      }),
  }
}

export function cardBrand(
  key: string,
  { focus = { x: 50, y: 50 }, ...look }: BrandLook,
  contents: Readonly<Partial<Record<BrandFileField, UsedFile>>>,
): CardBrand {
  function used(file: UsedFile) {
    if (file.kind === 'logo') return file.logo
    if (file.kind === 'font') return file.font
    if (file.kind === 'picture') return { ...file.picture, focus }
    return { key: file.theme.key, json: file.theme.json }
  }
  const files = Object.entries(contents).map(([field, file]) => [field, used(file)])
  return { key, ...look, ...Object.fromEntries(files) }
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

const [shapes, yaml] = ['application/json', 'application/yaml']

/** A file as the store keeps it: under the SHA-256 of all that is kept. */
export function storedFile(content: FileContent): BrandFileRow {
  const [mediaType, facts, bytes] = partsOf(content)
  const text = JSON.stringify(facts)
  const hash = createHash('sha256').update(`${mediaType}\n${text}\n`).update(bytes)
  return { sha256: hash.digest('hex'), mediaType, facts: text, bytes }
}

function partsOf(content: FileContent) {
  if (content.kind === 'font') {
    const { bytes, ...facts } = content.font
    return ['font/sfnt', facts, bytes] as const
  }
  if (content.kind === 'picture') {
    const { jpeg, ...facts } = content.picture
    return ['image/jpeg', facts, jpeg] as const
  }
  if (content.kind === 'theme') {
    const { bytes, ...facts } = content.theme
    return [yaml, facts, bytes] as const
  }
  const { logo } = content
  if (logo.kind === 'shapes') return [shapes, {}, new TextEncoder().encode(JSON.stringify(logo))] as const
  const { png, ...facts } = logo
  return ['image/png', facts, png] as const
}

/** Reads a stored file. The store holds only files that `storedFile` made, so their form is not checked again. */
export function fileContent({ mediaType, facts: text, bytes: stored }: BrandFileRow): FileContent {
  const facts = JSON.parse(text)
  // A driver may return a part of a larger buffer.
  const bytes = new Uint8Array(stored)
  switch (mediaType) {
    case 'image/jpeg':
      return { kind: 'picture', picture: { ...facts, jpeg: bytes } }
    case 'image/png':
      return { kind: 'logo', logo: { ...facts, png: bytes } }
    case shapes:
      return { kind: 'logo', logo: JSON.parse(new TextDecoder().decode(bytes)) }
    case yaml:
      return { kind: 'theme', theme: { ...facts, bytes } }
    default:
      return { kind: 'font', font: { ...facts, bytes } }
  }
}

/** The look of cards after a change of the last revision. */
export async function draftBrand(
  change: BrandChange,
  last: StoredRevision | undefined,
  loader: Pick<BrandLoader, 'file'>,
): Promise<CardBrand> {
  const contents: Partial<Record<BrandFileField, UsedFile>> = {}
  const files: { readonly field: BrandFileField; readonly sha256: string }[] = []
  for (const field of brandFileFields) {
    const added = change.files[field]
    const existing = last?.files.find((file) => file.field === field)
    if (added) {
      contents[field] = added.content
      files.push({ field, sha256: storedFile(added.content).sha256 })
    } else if (added === undefined && existing !== undefined) {
      contents[field] = await loader.file(existing.sha256)
      files.push(existing)
    }
  }
  const look = changedLook(last?.look ?? {}, change)
  return cardBrand(`draft ${lookDigest(look, files)}`, look, contents)
}
