/** @jsxImportSource #jsx */
import { createHash } from 'node:crypto'
import { type ClientReservation, reserveForClient } from '../../access/key-quota.ts'
import { liveNames, sourceParameters } from '../../assets/badge/live/source.ts'
import type { AssetHead } from '../../assets/kit/producer.ts'
import { busy, type Problem, rateLimited } from '../../errors.ts'
import type { DrawingService, DrawnAsset, DrawnFor } from '../../http/drawing-service.ts'
import type { ParsedRequest, RequestContext } from '../../http/request-context.ts'
import { type Body, bodyText, textBody } from '../../lib/body.ts'
import { type Clock, dayMs, secondsUntil, setAwakeTimeout } from '../../lib/clock.ts'
import { document } from '../../lib/jsx/markup.ts'
import { hmacHex, isSameMac } from '../../lib/password.ts'
import { type Meter, MeterUnavailable } from '../../store/meter.ts'
import samples from '../data/samples.json' with { type: 'json' }
import type { SharedPage } from '../parts/feed-frames.tsx'
import { drawnForPage, pictureSize } from '../pictures.ts'
import type { PictureSize } from '../sample-pictures.ts'
import type { PlaygroundState } from './form.ts'

export type Result =
  | { readonly type: 'waiting' }
  | { readonly type: 'problem'; readonly problem: Problem }
  /** `url` streams its progress; after that the page is loaded again. */
  | { readonly type: 'started'; readonly url: string }
  | (Rendered & {
      readonly type: 'picture'
      readonly url: string
      readonly size: PictureSize
      readonly page?: SharedTexts | undefined
    })
  | (Rendered & { readonly type: 'data'; readonly text: string })

type SharedTexts = Omit<SharedPage, 'image'>

interface Rendered {
  readonly preview: DrawnAsset
  /** The site of a sample, which nothing was fetched for. */
  readonly sampleOf?: string | undefined
}

export interface ResultDeps {
  readonly drawings: DrawingService
  readonly visitors: VisitorDrawings
  readonly signedUrls: SignedUrls
}

/** Renders the form's asset, or throws what is wrong with it. `isFollowed`: the browser wants to follow the progress of a live asset. */
export async function playgroundResult(
  { drawings, visitors, signedUrls }: ResultDeps,
  state: PlaygroundState,
  context: RequestContext,
  isFollowed: boolean,
): Promise<Result> {
  const { form, query, isExample } = state
  if (isFollowed && form.hasProgress)
    return { type: 'started', url: signedUrls.sign(form.asset.id, String(query)) }
  const sample = sampleFor(state)
  if (sample !== undefined && 'text' in sample) return sampleText(sample.from, await sample.text())
  if (sample === undefined && form.waits !== undefined && (isExample || !isPageLoad(context)))
    return { type: 'waiting' }
  const id = sample?.assetId ?? form.asset.id
  const rawQuery = String(sample?.query ?? query)
  const preview = isExample
    ? await drawings.asset(id, rawQuery, context, drawnForPage(context))
    : await visitors.draw(id, rawQuery, context)
  const size = pictureSize(preview.rendered)
  const common = { preview, sampleOf: sample?.from }
  return size === undefined
    ? { ...common, type: 'data', text: bodyText(preview.rendered.body) }
    : { ...common, type: 'picture', size, url: signedUrls.sign(id, rawQuery), page: sample?.page }
}

function sampleText(sampleOf: string, text: string): Result {
  const rendered = { body: textBody(text), contentType: 'application/json', filename: 'answer' }
  const preview = { rendered, durationMs: 0, isCached: true, cacheSeconds: 0 }
  return { type: 'data', preview, text, sampleOf }
}

/** True if a person opened the page. A picture tag with its URL and a prefetch start no request to another site. */
export function isPageLoad({ request: { headers } }: RequestContext): boolean {
  const destination = headers.get('sec-fetch-dest') ?? 'document'
  return ['document', 'empty'].includes(destination) && !headers.has('sec-purpose')
}

/** Recorded from a page and a document of other sites, so that a form shows a result before anything is fetched. */
const { page, packageVersion } = samples.read

type Sample = { readonly from: string } & (
  | {
      readonly assetId: string
      readonly query: URLSearchParams
      readonly page?: SharedTexts
    }
  | { readonly text: () => Promise<string> }
)

function sampleFor({ form, values, query, isExample }: PlaygroundState): Sample | undefined {
  const names = [...query.keys()]
  switch (form.id) {
    case 'card':
      return values['page'] === page.url ? cardSample(query) : undefined
    case 'live-badge': {
      const isSample = ['json', 'query'].every((name) => values[name] === form.example[name])
      const sources = sourceParameters.filter((name) => query.has(name))
      return isSample && sources.length === 1 ? badgeSample(query) : undefined
    }
    case 'preview':
      if (values['url'] !== page.url || names.length !== 1) return undefined
      return { from: page.host, text: samplePreview }
    case 'sitemap': {
      const planned = new URLSearchParams([...query, ['crawl', 'false']])
      return isExample ? { from: values['domain'] ?? '', assetId: 'sitemap', query: planned } : undefined
    }
    default:
      return undefined
  }
}

function cardSample(asked: URLSearchParams): Sample {
  const { title, description, host } = page
  const own = new Set(['page', 'picture', 'fallback', 'site'])
  const texts = { title, subtitle: description, url: host, overflow: 'ellipsis' }
  const given = [...asked].filter(([name]) => !own.has(name))
  const query = new URLSearchParams({ ...texts, ...Object.fromEntries(given) })
  return { from: host, assetId: 'og', query, page }
}

function badgeSample(asked: URLSearchParams): Sample {
  const value = `${asked.get('prefix') ?? ''}${packageVersion}${asked.get('suffix') ?? ''}`
  const given = [...asked].filter(([name]) => !liveNames.includes(name))
  const query = new URLSearchParams([...given, ['value', value]])
  return { from: new URL(asked.get('json') ?? page.url).host, assetId: 'badge', query }
}

async function samplePreview(): Promise<string> {
  const { url, title, description, image, host } = page
  const facts = { type: 'website', url, title, description, site_name: host, image }
  const metas = Object.entries(facts).map(([name, fact]) => <meta property={`og:${name}`} content={fact} />)
  const html = <html lang="en">{[<meta charset="utf-8" />, <title>{title}</title>, metas]}</html>
  const fields = await previewOf(document(html), url)
  return JSON.stringify({ kind: 'preview', version: 1, url, final_url: url, http_status: 200, ...fields })
}

/** The fields of a page that is here already. */
export async function previewOf(html: string, url: string) {
  const { parsePreview } = await import('../../assets/preview/page-parser.ts')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return await parsePreview(new TextEncoder().encode(html), { url, headers })
}

export interface VisitorQuota {
  readonly meter: Meter
  readonly clock: Clock
  readonly perAddressDaily: number
}

/** A live asset counts like so many pictures, because it fetches from somebody's site. */
const liveAssetWeight = 20

/**
 * A page waits so long for its preview to be counted. While another process holds a lock of the database, a reservation
 * waits for seconds, but the rest of the page needs no database. A database far away takes half a second.
 */
const patienceMs = 700

type VisitorDrawings = ReturnType<typeof createVisitorDrawings>

/** Draws a visitor's input on the daily quota of their address. Equal requests count once a day. */
export function createVisitorDrawings(
  drawings: DrawingService,
  { meter, clock, perAddressDaily }: VisitorQuota,
) {
  async function reserve({ producer, key }: ParsedRequest, clientAddress: string, isFree: boolean) {
    const weight = 'answer' in producer ? liveAssetWeight : 1
    const n = isFree ? 0 : weight
    const dedupKey = createHash('sha256').update(key).digest('base64url').slice(0, 22)
    const request = { name: 'playground', limit: perAddressDaily, n, dedupKey }
    const reservation = await reserveSoon(reserveForClient(meter, clientAddress, request))
    if (reservation.granted) return reservation
    const seconds = secondsUntil(reservation.resetsAtMs, clock.now(), dayMs)
    throw rateLimited('Your address has had its previews for today. The snippets still work.', seconds)
  }

  /** Throws `busy` when the answer takes too long, and releases what is granted afterwards. */
  async function reserveSoon(coming: Promise<ClientReservation>): Promise<ClientReservation> {
    const tooLate = Promise.withResolvers<undefined>()
    const timeout = setAwakeTimeout(() => tooLate.resolve(undefined), patienceMs)
    try {
      const reservation = await Promise.race([coming, tooLate.promise])
      if (reservation !== undefined) return reservation
      coming.then((late) => late.release()).catch(() => {})
      throw notCounted()
    } catch (error) {
      throw error instanceof MeterUnavailable ? notCounted(error) : error
    } finally {
      timeout.clear()
    }
  }

  async function counted<Result>(
    parsed: ParsedRequest,
    client: string,
    work: (who: Extract<DrawnFor, { for: 'visitor' }>) => Promise<Result>,
    isFree = false,
  ): Promise<Result> {
    const { release, isCounted } = await reserve(parsed, client, isFree)
    try {
      const granted = { granted: true, mode: 'demo', refund: release } as const
      return await work({ for: 'visitor', client, granted, isCounted })
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    /** Draws the asset for a page. Throws the Problem that a caller of the API would get, or `rate_limited`. */
    draw(assetId: string, rawQuery: string, page: RequestContext): Promise<DrawnAsset> {
      const { parsed } = drawings.read(assetId, rawQuery, page)
      return counted(parsed, page.clientAddress, (who) => drawings.asset(assetId, rawQuery, page, who))
    },
    /** The asset as the response itself, which may be an event stream of its progress. HEAD is not counted or drawn. */
    respond(assetId: string, rawQuery: string, request: RequestContext): Promise<Response> {
      const { parsed, context } = drawings.read(assetId, rawQuery, request)
      const { producer, query } = parsed
      const isHead = request.method === 'HEAD'
      async function answer(who: Extract<DrawnFor, { for: 'visitor' }>): Promise<Response> {
        if ('answer' in producer) return producer.answer(query, context, who.granted)
        if (isHead) return toResponse({ ...producer.describe(query), body: null })
        return toResponse((await drawings.asset(assetId, rawQuery, request, who)).rendered)
      }
      return counted(parsed, request.clientAddress, answer, isHead)
    },
  }
}

function notCounted(cause?: unknown): Problem {
  return busy('The preview could not be counted just now.', 1, cause)
}

function toResponse({ body, contentType, filename }: AssetHead & { readonly body: Body | null }): Response {
  return new Response(body, {
    headers: { 'content-type': contentType, 'content-disposition': `inline; filename="${filename}"` },
  })
}

type SignedUrls = ReturnType<typeof createSignedUrls>

const windowMs = 5 * 60_000

/** Signs URLs under /playground, which expire within ten minutes. */
export function createSignedUrls(key: string, clock: Clock) {
  function signatureOf(assetId: string, query: string) {
    return hmacHex(key, `${assetId}?${query}`).slice(0, 32)
  }

  /** Equal for five minutes, so that browsers load a picture once. */
  function untilSeconds() {
    return ((Math.floor(clock.now() / windowMs) + 2) * windowMs) / 1000
  }

  return {
    /** Equal for as long as `sign` returns equal URLs. */
    window: untilSeconds,
    /** `rawQuery` has no credentials, because the URL is shown in pages. */
    sign(assetId: string, rawQuery: string): string {
      const query = `${rawQuery}${rawQuery === '' ? '' : '&'}until=${untilSeconds()}`
      return `/playground/${assetId}?${query}&ticket=${signatureOf(assetId, query)}`
    },
    /** Returns the query that was signed; undefined if the signature is wrong or expired. */
    verify(assetId: string, rawQuery: string): string | undefined {
      const [, query = '', unsigned = '', until, signature = ''] =
        /^((?:(.*)&)?until=(\d{1,12}))&ticket=([0-9a-f]{32})$/.exec(rawQuery) ?? []
      if (until === undefined) return undefined
      if (!isSameMac(signatureOf(assetId, query), signature)) return undefined
      return Number(until) * 1000 > clock.now() ? unsigned : undefined
    },
  }
}
