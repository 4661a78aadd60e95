import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { dayMs } from '../../../lib/clock.ts'
import { createCpuBudget } from '../../../lib/cooperative-scheduler.ts'
import { FairLimiter, LimiterFull } from '../../../lib/fair-limiter.ts'
import { withinCharacters } from '../../../lib/human-format.ts'
import { saidOnly } from '../../../lib/json.ts'
import { isExecutable } from '../../../lib/package-files.ts'
import { beginFor, type QueueClient } from '../../../lib/waiter.ts'
import { connectThread, createWorkerSlot, type Outcome } from '../../../raster/thread-pool.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import { keptValidators, type PageValidators } from '../../../web/fetched-page.ts'
import { CachedSource, createSourceCache, type SourceRequest } from '../../../web/source-cache.ts'
import type { WebFetcher } from '../../../web/web-fetcher.ts'
import { type DocumentList, type DocumentOrders, noDocumentList } from '../../document-list.ts'
import { findIcon } from '../../icons.ts'
import { badgeStyles } from '../badge.ts'
import { colorOf } from '../color-names.ts'
import { type BadgeQuery, checkImageLogo } from '../query.ts'
import { asDocument, type Finding, findValue, joined, type Search, scalarText } from './find-value.ts'
import { pathMistake, plainLocations } from './json-path.ts'
import { createJsonScanner, scanInSteps } from './json-scanner.ts'
import { type DocumentSource, messageCharsMax } from './source.ts'
import { xmlPathMistake } from './xml-path.ts'

export type FoundFacts = { readonly facts: DocumentFacts; readonly ttlSeconds: number }

interface CachedDocument extends PageValidators {
  /** Undefined for a document that is too long to be kept. */
  readonly text: string | undefined
  readonly ttlSeconds: number
  /** The facts that were found, by the query; the failure where nothing was. */
  readonly answers: LRUCache<string, DocumentFacts | FetchFailure>
  /** Answers since it was fetched or confirmed last. */
  uses: number
}

type DocumentCacheEntry = CachedSource<CachedDocument>

const cacheBytesMax = 16 * 2 ** 20
const answersMax = 32
const failureMs = 60_000

export type Documents = ReturnType<typeof createDocuments>

/** Room for the answers: few have a picture. */
const answersBytes = 4_096
/** Room for a document that could not be read. */
const failureBytes = 512

/** Reads documents of other sites, keeps them in memory, and finds in them what badges show. */
export function createDocuments(
  fetcher: WebFetcher,
  now: () => number,
  documentList: DocumentList = noDocumentList,
) {
  const find = createDocumentParser()
  const memory = new LRUCache<string, DocumentCacheEntry>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ value }, key) =>
      2 * key.length + (value === undefined ? failureBytes : 2 * (value.text?.length ?? 0) + answersBytes),
  })
  const sources = createSourceCache<CachedDocument, DocumentCacheEntry, DocumentRequest>({
    now,
    memory,
    freshMs: ({ ttlSeconds }) => ttlSeconds * 1_000,
    retryMs: failureMs,
    async read({ value }, request, onBehalfOf, waiter) {
      const { path, requester } = request
      const fetched = await fetchDocument(request, onBehalfOf(fetcher), value)
      if (fetched === undefined) return undefined
      const { text, finding, ...validators } = fetched
      const uses = value?.uses ?? 0
      // A document with the same text keeps what was found in it, so that its badges stay the same objects.
      if (value !== undefined && text !== undefined && text === value.text)
        return { ...value, ...validators, uses }
      const found = finding ?? (await find({ ...request, text }, { name: requester.id, waiter }))
      const answers = new LRUCache<string, DocumentFacts | FetchFailure>({ max: answersMax })
      answers.set(path ?? '', factsOf(found))
      return { ...validators, text, ttlSeconds: ttlSecondsOf(found), answers, uses }
    },
    record({ value, failure }, { url }) {
      documentList.record(url, { failure: failure?.reason, requests: 1 + (value?.uses ?? 0) })
      if (value !== undefined) value.uses = 0
    },
  })

  /** A long document is cached with each of its paths alone. */
  function sourceOf({ url, format, path = '' }: DocumentSource, { renewals }: DocumentOrders) {
    // A document that is to be read again is another one, so that neither its copy nor its failure is used.
    const key = `${format} ${renewals} ${url}`
    const ownKey = isLongWithout(path, memory.get(key)?.value) ? `${key} ${path}` : key
    return memory.get(ownKey) ?? new CachedSource(ownKey)
  }

  function freshDocument(request: DocumentSource): CachedDocument | undefined {
    const orders = documentList.peek(request.url)
    if (orders === undefined || orders.isBlocked) return undefined
    const source = sourceOf(request, orders)
    return sources.isFresh(source) ? source.value : undefined
  }

  /** Returns the document, for a day also a stale one, which is then fetched again behind the answer. */
  async function readDocument(request: DocumentRequest): Promise<CachedDocument> {
    const orders = documentList.peek(request.url) ?? (await documentList.load(request.url))
    if (orders.isBlocked) throw new FetchFailure('denied_domain')
    const source = sourceOf(request, orders)
    if (source.value !== undefined && sources.isFresh(source, dayMs)) {
      sources.refresh(source, () => request)
      return source.value
    }
    const known = source.recentFailure(now(), failureMs)
    const isFailing = known !== undefined && !mayReadMore(known, request)
    let read = isFailing ? source : await sources.read(source, request)
    // This call may have joined one that reads less, or a long document for another path.
    if (mayReadMore(read.failure, request) || isLongWithout(request.path, read.value))
      read = await sources.read(sourceOf(request, orders), request)
    if (read.failure !== undefined || read.value === undefined) throw read.failure
    return read.value
  }

  return {
    /** The mistake in a query, as the end of a sentence; undefined if there is none. */
    pathMistake({ format, path = '' }: DocumentSource): ReturnType<typeof pathMistake> {
      return format === 'xml' ? xmlPathMistake(path) : pathMistake(path)
    },
    use(source: DocumentSource): void {
      const document = freshDocument(source)
      if (document !== undefined) document.uses += 1
    },
    /** The facts, if nothing has to be fetched or searched for them. */
    fresh(source: DocumentSource): FoundFacts | undefined {
      const document = freshDocument(source)
      const answer = document?.answers.get(source.path ?? '')
      if (document === undefined || answer === undefined || answer instanceof FetchFailure) return undefined
      return { facts: answer, ttlSeconds: document.ttlSeconds }
    },
    /** Rejects with FetchFailure. */
    async read(source: DocumentSource, reading: SourceRequest): Promise<FoundFacts> {
      const request = { ...source, ...reading }
      const document = await readDocument(request)
      const { path = '', requester } = request
      let answer = document.answers.get(path)
      if (answer === undefined) {
        // A long document was read for another path.
        if (document.text === undefined) throw new FetchFailure('too_large')
        const client = { name: requester.id, waiter: requester.waiter }
        answer = factsOf(await find({ ...request, text: document.text }, client))
        document.answers.set(path, answer)
      }
      if (answer instanceof FetchFailure) throw answer
      return { facts: answer, ttlSeconds: document.ttlSeconds }
    },
  }
}

interface DocumentRequest extends DocumentSource, SourceRequest {}

const documentBytesMax = 2 ** 20
/** JSON in which a path of names is followed while it is read. */
const longBytesMax = 10 * 2 ** 20
const totalMsMax = 3_000

/** The failure of a document that is longer than may be kept, which says nothing to those who may have more of it read. */
const tooLarge = new FetchFailure('too_large')

/** The locations to find while the document is read; undefined where it has to be read as a whole. */
function locationsOf({ format, path, requester }: DocumentRequest) {
  return format !== 'json' || path === undefined || requester.kind === 'unpaid'
    ? undefined
    : plainLocations(path)
}

function mayReadMore(failure: FetchFailure | undefined, request: DocumentRequest): boolean {
  return failure === tooLarge && locationsOf(request) !== undefined
}

function isLongWithout(path = '', document: CachedDocument | undefined): boolean {
  return document !== undefined && document.text === undefined && !document.answers.has(path)
}

/** Undefined if the document that the validators name has not changed. Rejects with FetchFailure. */
async function fetchDocument(request: DocumentRequest, fetcher: WebFetcher, validators: PageValidators = {}) {
  const locations = locationsOf(request)
  const bytesMax = locations === undefined ? documentBytesMax : longBytesMax
  const scanner = locations && createJsonScanner(locations)
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const { run } = createCpuBudget()
  /** A document that is too long to be kept has its value found while it is read. */
  async function follow(piece: string): Promise<boolean> {
    text += piece
    if (scanner !== undefined && bytes > documentBytesMax) {
      await asDocument(() => run(scanInSteps(scanner, text)))
      text = ''
    }
    return bytes <= bytesMax
  }
  const page = await fetcher.fetchPage(request.url, {
    accept: `application/${request.format},text/${request.format};q=0.9,*/*;q=0.5`,
    validators,
    totalMsMax,
    // One byte more tells a document of the largest size from a longer one.
    bodyBytesMax: bytesMax + 1,
    sink: () => ({
      write(chunk) {
        bytes += chunk.length
        return follow(decoder.decode(chunk, { stream: true }))
      },
      // The rest of a document may say something else.
      isUseful: () => false,
    }),
  })
  if (page.status === 304) return undefined
  if (bytes > bytesMax || page.isUnpaidPart)
    throw locations === undefined ? tooLarge : new FetchFailure('too_large')
  if (page.truncated) throw new FetchFailure('connection_reset')
  await follow(decoder.decode())
  const kept = keptValidators(page)
  if (scanner === undefined || bytes <= documentBytesMax) return { text, finding: undefined, ...kept }
  const values = await asDocument(() => scanner.end())
  const found = joined(values.filter((value) => value !== undefined))
  return { text: undefined, finding: { found, cacheSeconds: undefined }, ...kept }
}

function factsOf({ found }: Finding): DocumentFacts | FetchFailure {
  if ('members' in found) return endpointFacts(found.members)
  if (!('failure' in found)) return found
  const { failure, misspelt } = found
  if (misspelt === undefined) return new FetchFailure(failure)
  return new FetchFailure(failure, { message: `The document has no member "message", but "${misspelt}".` })
}

/** The time that a document holds by its own member `cacheSeconds`, from a minute to a day. */
function ttlSecondsOf({ cacheSeconds }: Finding): number {
  const seconds = Number(cacheSeconds ?? Number.NaN)
  return Number.isNaN(seconds) ? 300 : Math.round(Math.min(86_400, Math.max(60, seconds)))
}

/** The facts in a document, in the words of a badge's own parameters. */
export interface DocumentFacts
  extends Partial<
    Pick<
      BadgeQuery,
      'label' | 'color' | 'labelColor' | 'logo' | 'logoColor' | 'logoSize' | 'logoWidth' | 'style'
    >
  > {
  readonly value: string
  /** The one number that was found, which chooses a colour by value. */
  readonly number?: number
  /** The document tells of an error, whose colours nobody may replace. */
  readonly isError?: boolean
}

const labelCharsMax = 100

/** A document in the endpoint schema of shields.io without what is wrong in it; the failure where its message has no text. */
export function endpointFacts(document: Readonly<Record<string, unknown>>): DocumentFacts | FetchFailure {
  if (![undefined, 1, '1'].includes(document['schemaVersion'] as number))
    return new FetchFailure('invalid_document')
  const value = scalarText(document['message'])
  if (value === undefined) return new FetchFailure('no_value')
  const label = scalarText(document['label'])
  const style = badgeStyles.find((one) => one === document['style'])
  const logoWidth = document['logoWidth']
  const isWidth = typeof logoWidth === 'number' && Number.isInteger(logoWidth) && logoWidth > 0
  return {
    value: withinCharacters(value, messageCharsMax),
    ...saidOnly({
      isError: document['isError'] === true || undefined,
      label: label && withinCharacters(label, labelCharsMax),
      color: colorIn(document['color']),
      labelColor: colorIn(document['labelColor']),
      logoColor: colorIn(document['logoColor']),
      logo: logoOf(document),
      logoSize: document['logoSize'] === 'auto' ? ('auto' as const) : undefined,
      logoWidth: isWidth && logoWidth <= 200 ? logoWidth : undefined,
      style,
    }),
  }
}

function colorIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 100 ? colorOf(value) : undefined
}

/** The picture in the document wins over the icon that it names. */
function logoOf({ logoSvg, namedLogo }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof logoSvg === 'string') {
    const logo = `data:image/svg+xml;base64,${Buffer.from(logoSvg).toString('base64')}`
    if (checkImageLogo(logo) === undefined) return logo
  }
  return typeof namedLogo === 'string' ? findIcon(namedLogo.slice(0, 100))?.slug : undefined
}

/** JSON up to this length is parsed in a few milliseconds of the main thread. */
const plainCharsMax = 16_384
const waitingMax = 64
/** A search that takes longer ends its thread. */
const jobMsMax = 5_000
const idleMsMax = 15_000

/** Finds values in documents: small JSON at once, all else in a thread, one at a time. */
export function createDocumentParser() {
  const slot = createWorkerSlot(connect, idleMsMax)
  const queue = new FairLimiter({ runningMax: 1, waitingMax, dropsNewest: true })

  /** Rejects with FetchFailure, or WaitEnded. */
  return async ({ text, format, path }: Search, client: QueueClient): Promise<Finding> => {
    // The thread takes plain data alone.
    const search = { text, format, path }
    if (format === 'json' && text.length <= plainCharsMax) return findValue(search)
    function searchInThread() {
      beginFor(client)
      return slot.draw({ message: search, pixels: 0 })
    }
    try {
      return findingOf(await queue.run(client, searchInThread))
    } catch (error) {
      throw error instanceof LimiterFull ? new FetchFailure('too_busy') : error
    }
  }
}

function findingOf(outcome: Outcome<Finding>): Finding {
  if ('result' in outcome) return outcome.result
  const { failure, cause } = outcome
  if (failure === 'unreadable' && cause === 'invalid_document') throw new FetchFailure(cause)
  if (failure === 'unreadable') throw new Error(`A document could not be searched: ${cause}`)
  if (failure === 'unstarted') throw new FetchFailure('too_busy')
  return { found: { failure: 'too_complex' }, cacheSeconds: undefined }
}

function connect() {
  // In an executable the whole program is one file in the place of `src/main.ts`, and this one keeps its folder.
  const program = isExecutable ? './assets/badge/live/document-thread.ts' : './document-thread.ts'
  return connectThread<Finding>(new Worker(new URL(program, import.meta.url)), jobMsMax)
}
