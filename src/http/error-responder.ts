import { LRUCache } from 'lru-cache'
import { readAddressPath } from '../access/path-address.ts'
import type { Asset } from '../assets/kit/asset.ts'
import type { ErrorPicture, ErrorText } from '../assets/kit/error-picture.ts'
import { busy, errorCodes, type ParameterError, Problem, waitedTooLong } from '../errors.ts'
import { acceptedTypes } from '../lib/accepted-types.ts'
import { createRepeatedWarning, type Log } from '../lib/log.ts'
import { queryPairs } from '../lib/query-pairs.ts'
import { traceOf } from '../lib/system-reason.ts'
import { WaitEnded } from '../lib/waiter.ts'
import { pictureFormats } from '../raster/picture-formats.ts'
import { MeterUnavailable } from '../store/meter.ts'
import { findStoreError, isPassing } from '../store/store-error.ts'
import type { FreeDrawings } from './cached-renderer.ts'
import { decodeQuery } from './query.ts'
import type { RequestContext } from './request-context.ts'
import { readPayload } from './request-parser.ts'
import { inertSvg } from './responses.ts'

export interface ErrorResponderDeps {
  readonly log: Log
  /** Returns the page that shows a problem to people; undefined where the problem document does. */
  readonly problemPage?: (problem: Problem, context: RequestContext) => Promise<Response | undefined>
}

export function createErrorResponder({ log, problemPage }: ErrorResponderDeps) {
  const warnOfBusy = createRepeatedWarning(log, 'busy')

  return async (thrown: unknown, context: RequestContext): Promise<Response> => {
    if (thrown instanceof WaitEnded && thrown.isGone) return new Response(null, { status: clientGoneStatus })
    const error = thrown instanceof WaitEnded ? waitedTooLong(thrown) : withBusyForStore(thrown)
    if (error instanceof Problem && error.code === 'busy') warnOfBusy(busyReason(error), { id: context.id })
    if (!(error instanceof Problem)) {
      log.error('request failed', { id: context.id, error: traceOf(error) })
      return problemResponse(error, context)
    }
    return (await problemPage?.(error, context)) ?? problemResponse(error, context)
  }
}

/** Nobody hears this answer. The log and the statistics count it, as those of other servers do. */
const clientGoneStatus = 499

/** Turns the error of a database that cannot be used into a 503; any other error is returned unchanged. */
function withBusyForStore(error: unknown): unknown {
  if (error instanceof Problem) return error
  const fault = findStoreError(error)
  if (fault === undefined && !(error instanceof MeterUnavailable)) return error
  const retryAfterSeconds = fault === undefined || isPassing(fault) ? 1 : 5
  return busy(fault?.kind === 'unknown' ? outcomeUnknown : unusable, retryAfterSeconds, error)
}

const unusable = 'The database cannot be used at this moment; nothing was charged or changed.'
const outcomeUnknown =
  'The database went away while it stored this, and whether it did is not known: look before you try again.'

function busyReason(problem: Problem): string {
  const fault = findStoreError(problem.cause)
  if (fault !== undefined) return fault.message
  let first: Error = problem
  while (first.cause instanceof Error) first = first.cause
  return first.message
}

/** The response to an error. An error that is no `Problem` is a bug: the caller learns nothing of it but the request id. */
export function problemResponse(error: unknown, { baseUrl }: Pick<RequestContext, 'baseUrl'>): Response {
  const problem = error instanceof Problem ? error : new Problem('internal', errorCodes.internal.remedy)
  return new Response(JSON.stringify(problem.toJSON(baseUrl)), {
    status: problem.status,
    headers: { 'cache-control': 'no-store', ...problem.headers, 'content-type': 'application/problem+json' },
  })
}

type AskedFor = Pick<RequestContext, 'request' | 'path' | 'rawQuery' | 'logFields' | 'clientAddress'>

const keptMax = 500

/** Redraws the JSON of an error for an `<img>`, in the form and size of the asset asked for. Status and headers stay. */
export function createErrorPictures(assets: readonly Asset[], freeDrawings: FreeDrawings) {
  const drawn = assets.filter((asset): asset is DrawnAsset => asset.errorPicture !== undefined)
  const kept = new LRUCache<string, string>({ max: keptMax })

  /** Finds the asset at the path; else one that a word of it names; else the one that takes most parameters; else a badge. */
  function assetAskedFor({ path, rawQuery, logFields }: AskedFor): DrawnAsset | undefined {
    const own = drawn.find(({ id }) => id === logFields.asset)
    if (own !== undefined) return own
    const pathWords = new Set(path.toLowerCase().split(/[^a-z]+/))
    const named = drawn.find(({ errorPicture }) => errorPicture.words.some((word) => pathWords.has(word)))
    return named ?? mostFitting(drawn, rawQuery) ?? drawn.find(({ id }) => id === 'badge')
  }

  /** Without words of what was asked for where too many were drawn just now. */
  async function draw(context: AskedFor, asset: DrawnAsset, text: ErrorText): Promise<string> {
    const address = readAddressPath(context.path)
    const query = address === undefined ? context.rawQuery : readPayload(address.payload).pairs
    const decoded = decodeQuery(asset.query, query)
    const { size } = 'errors' in decoded ? decoded.right : decoded.value
    const keyOf = (shown: ErrorText) => JSON.stringify([asset.id, size, shown])
    const mayDraw = kept.has(keyOf(text)) || freeDrawings.acquire(context.clientAddress)
    const shown = mayDraw ? text : { ...text, reason: text.title, detail: `${text.title}.` }
    const picture = kept.get(keyOf(shown)) ?? (await asset.errorPicture.draw(size, shown))
    kept.set(keyOf(shown), picture)
    return picture
  }

  return async (response: Response, context: AskedFor): Promise<Response> => {
    if (!wantsPicture(context)) return response
    if (response.headers.get('content-type')?.includes('json') !== true) return response
    const asset = assetAskedFor(context)
    if (asset === undefined) return response
    const body = await draw(context, asset, errorText(response.status, await response.json()))
    const headers = new Headers(response.headers)
    headers.set('content-type', pictureFormats.svg.mediaType)
    headers.set('content-security-policy', inertSvg)
    headers.set('cross-origin-resource-policy', 'cross-origin')
    headers.append('vary', 'Accept')
    return new Response(body, { status: response.status, headers })
  }
}

/** A browser that opens an address names pictures too: it is shown one only where the address is an asset's. */
function wantsPicture({ request, logFields }: AskedFor): boolean {
  const types = acceptedTypes(request.headers.get('accept'))
  if (!types.some((type) => type.startsWith('image/')) || types.includes('application/json')) return false
  return logFields.asset !== undefined || !types.includes('text/html')
}

type DrawnAsset = Asset & { readonly errorPicture: ErrorPicture }

function mostFitting(assets: readonly DrawnAsset[], rawQuery: string): DrawnAsset | undefined {
  const given = new Set(queryPairs(rawQuery).map(({ name }) => name))
  const fits = assets.map(({ query }) => {
    const decoded = decodeQuery(query, rawQuery)
    const wrong = 'errors' in decoded ? decoded.errors.map(({ parameter }) => parameter) : []
    return Object.entries(query.properties).filter(
      ([name, { aliases = [] }]) => [name, ...aliases].some((one) => given.has(one)) && !wrong.includes(name),
    ).length
  })
  const best = Math.max(0, ...fits)
  return best === 0 ? undefined : assets[fits.indexOf(best)]
}

/** The members of a problem document, or of a 402, which has `error` for the code and no title. */
type ErrorDocument = { readonly errors?: readonly ParameterError[] } & {
  readonly [Name in 'title' | 'detail' | 'code' | 'error']?: string
}

function errorText(status: number, document: ErrorDocument): ErrorText {
  const code = document.code ?? document.error ?? 'error'
  const { title = 'The call was not granted', detail = title, errors = [] } = document
  const [first, ...others] = errors
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  const sentence = detail.split(/[.;:](?:\s|$)/)[0] ?? detail
  const reason = first === undefined ? sentence : `${first.parameter} ${first.message}${more}`
  return { status, code, title, reason, detail }
}
