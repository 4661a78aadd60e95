import { LRUCache } from 'lru-cache'
import { isWithin } from '../../lib/clock.ts'
import { LimiterFull } from '../../lib/fair-limiter.ts'
import type { Waiter } from '../../lib/waiter.ts'
import { PictureLimited } from '../../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../../raster/thread-pool.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import type { Requester } from '../../web/requester.ts'
import { isCapacityFailure } from '../../web/single-flight.ts'
import { CachedSource, createSourceCache, type SourceRequest } from '../../web/source-cache.ts'
import type { WebFetcher } from '../../web/web-fetcher.ts'
import type { LivePages } from '../live-pages.ts'
import type { BrandPicture } from '../og/brand/brand-images.ts'
import { type LogoDeps, readPicture, UploadRefused } from '../og/brand/read-upload.ts'
import { heightPxMin, widthPxMin } from './least-picture.ts'

export type PagePicture = Omit<BrandPicture, 'focus'>

export type PictureCache = ReturnType<typeof createPictureCache>

/** A picture that could not be had is not asked for again for so long. */
const failureMs = 600_000
/** One that is too long for callers who do not pay is not read again for them for so long. */
const unpaidFailureMs = 60_000
/** A picture is read again after so long. */
const freshMs = 3_600_000
const pagePictureBytesMax = 4_194_304
const cacheBytesMax = 16_777_216
const namesBytesMax = 8_388_608

/** Pictures of pages, read by the safe fetcher and decoded where callers' pictures are. The latest are in memory. */
export function createPictureCache(
  livePages: Pick<LivePages, 'load'>,
  pictures: LogoDeps['pictures'],
  now: () => number,
) {
  /** The addresses of a page's pictures, and the key of the first usable one. */
  const outcomes = new LRUCache<string, CachedSource<string>>({
    maxSize: namesBytesMax,
    sizeCalculation: (_, name) => 2 * name.length + 256,
  })
  const bytes = new LRUCache<string, PagePicture>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ jpeg }) => jpeg.length + 4_096,
  })
  const unpaidFailures = new LRUCache<string, number>({ max: 1_000 })
  const sources = createSourceCache<string, CachedSource<string>, PictureRequest>({
    now,
    memory: outcomes,
    freshMs: () => freshMs,
    retryMs: freshMs,
    async read({ key: name }, { addresses, requester }, onBehalfOf, waiter) {
      const failedAtMs = requester.kind === 'unpaid' ? unpaidFailures.get(name) : undefined
      if (failedAtMs !== undefined && isWithin(failedAtMs, now(), unpaidFailureMs)) throw notNow()
      const { fetcher } = await livePages.load()
      const picture = await readFirst(addresses, {
        fetcher: onBehalfOf(fetcher),
        pictures,
        waiter,
        onUnpaid: () => unpaidFailures.set(name, now()),
      })
      bytes.set(picture.key, picture)
      return picture.key
    },
  })

  function sourceOf(addresses: readonly string[]): CachedSource<string> {
    const name = addresses.join(' ')
    return outcomes.get(name) ?? new CachedSource(name)
  }

  function pictureOf(addresses: readonly string[]): PagePicture | undefined {
    return bytes.get(sourceOf(addresses).value ?? '')
  }

  /** Reads the first usable picture of these addresses. Its key is what `peek` returns from then on. */
  async function load(addresses: readonly string[], requester: Requester): Promise<PagePicture | undefined> {
    // An equal call may have read it since this one found none.
    if (pictureOf(addresses) === undefined)
      await sources.read(sourceOf(addresses), { addresses, requester }).catch((error: unknown) => {
        if (!isCapacityFailure(error)) throw error
      })
    return pictureOf(addresses)
  }

  return {
    /** Returns the key of the first usable picture, or null if there is none; undefined if that is not known. */
    peek(addresses: readonly string[]): string | null | undefined {
      if (addresses.length === 0) return null
      const source = sourceOf(addresses)
      return source.value ?? (source.recentFailure(now(), failureMs) && null)
    },
    /** Reads the picture again in the background if that is long ago. */
    use(addresses: readonly string[], requester: () => Requester): void {
      sources.refresh(sourceOf(addresses), () => ({ addresses, requester: requester() }))
    },
    load,
    /** The picture with this key; read again if it is in memory no more. */
    async get(
      key: string,
      addresses: readonly string[],
      requester: () => Requester,
    ): Promise<PagePicture | undefined> {
      return bytes.get(key) ?? (await load(addresses, requester()))
    },
  }
}

interface PictureRequest extends SourceRequest {
  readonly addresses: readonly string[]
}

interface Reading {
  readonly fetcher: WebFetcher
  readonly pictures: LogoDeps['pictures']
  readonly waiter: Waiter
  /** Called where nothing pays for so many bytes. */
  readonly onUnpaid: () => void
}

/** Rejects with FetchFailure where none of the addresses has a picture for a card, or a site cannot be asked now. */
async function readFirst(addresses: readonly string[], reading: Reading): Promise<PagePicture> {
  for (const address of addresses) {
    const picture = await readOne(address, reading).catch(unlessUnusable)
    if (picture !== undefined && picture.widthPx >= widthPxMin && picture.heightPx >= heightPxMin)
      return picture
  }
  throw new FetchFailure('no_value')
}

async function readOne(
  address: string,
  { fetcher, pictures, waiter, onUnpaid }: Reading,
): Promise<PagePicture | undefined> {
  const chunks: Uint8Array[] = []
  const { truncated, isUnpaidPart } = await fetcher.fetchPage(address, {
    accept: 'image/png,image/*;q=0.9',
    bodyBytesMax: pagePictureBytesMax,
    sink: () => ({ write: (chunk) => chunks.push(chunk) > 0, isUseful: () => false }),
  })
  if (isUnpaidPart) {
    onUnpaid()
    throw notNow()
  }
  if (truncated) return undefined
  const client = { name: new URL(address).host, waiter }
  return readPicture(Buffer.concat(chunks), { pictures, client }, pagePictureBytesMax)
}

function notNow(): FetchFailure {
  return new FetchFailure('too_busy')
}

/** A picture that cannot be used, or not now, is left out, unless its site cannot be asked now. */
function unlessUnusable(error: unknown): undefined {
  const isLeftOut = [UploadRefused, PictureLimited, RasterBusy, LimiterFull, FetchFailure].some(
    (kind) => error instanceof kind,
  )
  if (!isLeftOut || isCapacityFailure(error)) throw error
}
