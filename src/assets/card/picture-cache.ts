import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import { LimiterFull } from '../../lib/fair-limiter.ts'
import type { Waiter } from '../../lib/waiter.ts'
import { PictureLimited } from '../../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../../raster/thread-pool.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import type { FetchedPage } from '../../web/fetched-page.ts'
import { inBackground, type Requester } from '../../web/requester.ts'
import { createSingleFlight, isCapacityFailure } from '../../web/single-flight.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import type { LivePages } from '../live-pages.ts'
import type { BrandPicture } from '../og/brand/brand-images.ts'
import { type LogoDeps, readPicture } from '../og/brand/read-upload.ts'
import { UploadRefused } from '../og/brand/upload-rules.ts'
import { heightPxMin, widthPxMin } from './least-picture.ts'

/** A picture of a page, ready to be drawn. */
export type PagePicture = Omit<BrandPicture, 'focus'>

interface PictureCacheDeps {
  readonly livePages: Pick<LivePages, 'load'>
  readonly pictures: LogoDeps['pictures']
  readonly now: () => number
}

export type PictureCache = ReturnType<typeof createPictureCache>

/** A picture that could not be had is not asked for again for so long. */
const failureMs = 600_000
/** One that is too long for callers who do not pay is not read again for them for so long. */
const unpaidFailureMs = 60_000
/** A picture is read again after so long. */
const freshMs = 3_600_000
export const pagePictureBytesMax = 4_194_304
const cacheBytesMax = 16_777_216

interface Outcome {
  /** Undefined: none of the addresses has a picture for a card. */
  readonly key: string | undefined
  readonly atMs: number
}

/** Why there is no picture: there is none, the site cannot be asked now, or nothing pays for so many bytes. */
type Missing = 'none' | 'not now' | 'unpaid'

/** Pictures of pages, read by the safe fetcher and decoded where callers' pictures are. The latest are in memory. */
export function createPictureCache({ livePages, pictures, now }: PictureCacheDeps) {
  const outcomes = new LRUCache<string, Outcome>({ max: 10_000 })
  const read = new LRUCache<string, PagePicture>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ jpeg }) => jpeg.length + 4_096,
  })
  const unpaidFailures = new LRUCache<string, number>({ max: 10_000 })
  const flights = createSingleFlight<PagePicture | undefined>()

  async function load(addresses: readonly string[], requester: Requester): Promise<PagePicture | undefined> {
    // An equal call may have read it since this one found none.
    return read.get(outcomes.get(nameOf(addresses))?.key ?? '') ?? (await readAgain(addresses, requester))
  }

  async function readAgain(
    addresses: readonly string[],
    requester: Requester,
  ): Promise<PagePicture | undefined> {
    const name = nameOf(addresses)
    const failedAtMs = requester.kind === 'unpaid' ? unpaidFailures.get(name) : undefined
    if (failedAtMs !== undefined && isWithin(failedAtMs, now(), unpaidFailureMs)) return undefined
    const { fetcher } = await livePages.load()
    return flights.join(name, requester, async (onBehalfOf, waiter) => {
      const found = await readFirst(addresses, { fetcher: onBehalfOf(fetcher), pictures, waiter })
      if (found === 'unpaid') unpaidFailures.set(name, now())
      if (found === 'unpaid' || found === 'not now') return undefined
      const picture = found === 'none' ? undefined : found
      // A picture that cannot be had now does not take away the one that was there.
      const key = picture?.key ?? outcomes.get(name)?.key
      outcomes.set(name, { key, atMs: now() })
      if (picture !== undefined) read.set(picture.key, picture)
      return picture
    })
  }

  return {
    /** Returns the key of the first usable picture, or null if there is none; undefined if that is not known. */
    peek(addresses: readonly string[]): string | null | undefined {
      if (addresses.length === 0) return null
      const outcome = outcomes.get(nameOf(addresses))
      if (outcome?.key !== undefined) return outcome.key
      return outcome !== undefined && isWithin(outcome.atMs, now(), failureMs) ? null : undefined
    },
    /** Reads the picture again in the background if that is long ago. */
    use(addresses: readonly string[], requester: () => Requester): void {
      const outcome = outcomes.get(nameOf(addresses))
      if (outcome?.key === undefined || isWithin(outcome.atMs, now(), freshMs)) return
      const tried = { ...outcome, atMs: now() }
      const name = nameOf(addresses)
      outcomes.set(name, tried)
      readAgain(addresses, inBackground(requester()))
        .catch(() => {})
        .finally(() => {
          // A caller for whom the site may not be asked now does not keep others from it.
          if (outcomes.get(name) === tried) outcomes.set(name, outcome)
        })
    },
    /** Reads the first usable picture of these addresses. Its key is what `peek` returns from then on. */
    load,
    /** The picture with this key; read again if it is in memory no more. */
    async get(
      key: string,
      addresses: readonly string[],
      requester: () => Requester,
    ): Promise<PagePicture | undefined> {
      return read.get(key) ?? (await load(addresses, requester()))
    },
  }
}

function nameOf(addresses: readonly string[]): string {
  return addresses.join(' ')
}

interface Reading {
  readonly fetcher: WebFetcher
  readonly pictures: LogoDeps['pictures']
  readonly waiter: Waiter
}

async function readFirst(addresses: readonly string[], reading: Reading): Promise<PagePicture | Missing> {
  for (const address of addresses) {
    const picture = await readOne(address, reading)
    if (picture !== 'none') return picture
  }
  return 'none'
}

async function readOne(
  address: string,
  { fetcher, pictures, waiter }: Reading,
): Promise<PagePicture | Missing> {
  const bytes = await fetchBytes(address, fetcher)
  if (typeof bytes === 'string') return bytes
  const client = { name: new URL(address).host, waiter }
  const picture = await readPicture(bytes, { pictures, client }, pagePictureBytesMax).catch(unlessUnusable)
  return picture !== undefined && picture.widthPx >= widthPxMin && picture.heightPx >= heightPxMin
    ? picture
    : 'none'
}

async function fetchBytes(address: string, fetcher: WebFetcher): Promise<Uint8Array | Missing> {
  const chunks: Uint8Array[] = []
  try {
    const { truncated, isUnpaidPart }: FetchedPage = await fetcher.fetchPage(address, {
      accept: 'image/png,image/*;q=0.9',
      bodyBytesMax: pagePictureBytesMax,
      sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
    })
    if (truncated) return isUnpaidPart ? 'unpaid' : 'none'
    return Buffer.concat(chunks)
  } catch (error) {
    if (isCapacityFailure(error)) return 'not now'
    if (error instanceof FetchFailure) return 'none'
    throw error
  }
}

/** A picture that cannot be used, or not now, is left out. */
function unlessUnusable(error: unknown): undefined {
  const isLeftOut = [UploadRefused, PictureLimited, RasterBusy, LimiterFull].some(
    (kind) => error instanceof kind,
  )
  if (!isLeftOut) throw error
}
