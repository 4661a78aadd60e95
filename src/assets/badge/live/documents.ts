import { LRUCache } from 'lru-cache'
import { dayMs } from '../../../lib/clock.ts'
import { createCpuBudget } from '../../../lib/cooperative-scheduler.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import type { PageValidators } from '../../../web/fetched-page.ts'
import { keptValidators } from '../../../web/kept-validators.ts'
import { CachedSource, createSourceCache, type SourceRequest } from '../../../web/source-cache.ts'
import type { WebFetcher } from '../../../web/web-fetcher.ts'
import { type DocumentList, type DocumentOrders, noDocumentList } from '../../document-list.ts'
import { type DocumentFacts, endpointFacts, foundFacts } from './document-facts.ts'
import { findByPath, PathTooCostly, pathMistake } from './json-path.ts'
import { type DocumentFormat, type DocumentName, parseDocument } from './parse-document.ts'
import type { DocumentSource } from './source.ts'

/** The facts of a document, and for how many seconds they may be repeated. */
export interface FoundFacts {
  readonly facts: DocumentFacts
  readonly ttlSeconds: number
}

interface DocumentsDeps {
  readonly fetcher: WebFetcher
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly documentList?: DocumentList | undefined
}

/** A document as its site sent it. */
interface CachedDocument extends PageValidators {
  readonly text: string
  readonly ttlSeconds: number
  /** The facts that were found, by the query; the failure where nothing was. */
  readonly answers: LRUCache<string, DocumentFacts | FetchFailure>
  /** Answers since it was fetched or confirmed last. */
  uses: number
}

const cacheBytesMax = 16 * 2 ** 20
/** Different queries to one document. */
const answersMax = 32
/** Room for the answers: few have a picture. */
const answersBytes = 4_096
/** Room for a document that could not be read. */
const failureBytes = 512
const failureMs = 60_000

export type Documents = ReturnType<typeof createDocuments>

/** Reads documents of other sites, keeps them in memory, and finds in them what badges show. */
export function createDocuments({ fetcher, now, documentList = noDocumentList }: DocumentsDeps) {
  const memory = new LRUCache<string, CachedSource<CachedDocument>>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ value }, key) =>
      2 * key.length + (value === undefined ? failureBytes : 2 * value.text.length + answersBytes),
  })
  const sources = createSourceCache<CachedDocument, CachedSource<CachedDocument>, DocumentRequest>({
    now,
    memory,
    freshMs: ({ ttlSeconds }) => ttlSeconds * 1_000,
    retryMs: failureMs,
    async read({ value }, { url, format }, onBehalfOf) {
      const fetched = await fetchDocument(url, format, onBehalfOf(fetcher), value)
      if (fetched === undefined) return undefined
      const ttlSeconds = await ttlSecondsOf(format, fetched.text)
      // A document with the same text keeps what was found in it, so that its badges stay the same objects.
      const answers = value?.text === fetched.text ? value.answers : new LRUCache({ max: answersMax })
      return { ...fetched, ttlSeconds, answers, uses: value?.uses ?? 0 } as CachedDocument
    },
    record({ value, failure }, { url }) {
      documentList.record(url, { failure: failure?.reason, requests: 1 + (value?.uses ?? 0) })
      if (value !== undefined) value.uses = 0
    },
  })

  function sourceOf(name: DocumentName, orders: DocumentOrders): CachedSource<CachedDocument> {
    const key = keyOf(name, orders)
    return memory.get(key) ?? new CachedSource(key)
  }

  /** The document, if it is in memory and its time is not over. */
  function freshDocument(name: DocumentName): CachedDocument | undefined {
    const orders = documentList.peek(name.url)
    if (orders === undefined || orders.isBlocked) return undefined
    const source = memory.get(keyOf(name, orders))
    return source !== undefined && sources.isFresh(source) ? source.value : undefined
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
    const isFailing = source.recentFailure(now(), failureMs) !== undefined
    const { value, failure } = isFailing ? source : await sources.read(source, request)
    if (failure !== undefined || value === undefined) throw failure
    return value
  }

  async function answerOf(document: CachedDocument, { format, path }: DocumentSource) {
    const known = document.answers.get(path ?? '')
    if (known !== undefined) return known
    const answer = await find(document.text, format, path)
    document.answers.set(path ?? '', answer)
    return answer
  }

  return {
    pathMistake,
    /** Counts an answer from a document. */
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
    async read(source: DocumentSource, request: SourceRequest): Promise<FoundFacts> {
      const { url, format } = source
      const document = await readDocument({ url, format, ...request })
      const answer = await answerOf(document, source)
      if (answer instanceof FetchFailure) throw answer
      return { facts: answer, ttlSeconds: document.ttlSeconds }
    },
  }
}

interface DocumentRequest extends DocumentName, SourceRequest {}

/** A document that is to be read again is another one, so that neither its copy nor its failure is used. */
function keyOf({ url, format }: DocumentName, { renewals }: DocumentOrders): string {
  return `${format} ${renewals} ${url}`
}

const documentBytesMax = 65_536
const totalMsMax = 3_000

/** Undefined if the document that the validators name has not changed. Rejects with FetchFailure. */
async function fetchDocument(
  url: string,
  format: DocumentFormat,
  fetcher: WebFetcher,
  validators: PageValidators = {},
): Promise<Pick<CachedDocument, 'text' | keyof PageValidators> | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const page = await fetcher.fetchPage(url, {
    accept: accepted[format],
    validators,
    totalMsMax,
    // One byte more tells a document of the largest size from a longer one.
    bodyBytesMax: documentBytesMax + 1,
    sink: () => ({
      write(chunk) {
        bytes += chunk.length
        text += decoder.decode(chunk, { stream: true })
        return bytes <= documentBytesMax
      },
      // The rest of a document may say something else.
      isUseful: () => false,
    }),
  })
  if (page.status === 304) return undefined
  if (bytes > documentBytesMax) throw new FetchFailure('document_too_large')
  if (page.truncated) throw new FetchFailure('connection_reset')
  return { text: text + decoder.decode(), ...keptValidators(page) }
}

const accepted: Readonly<Record<DocumentFormat, string>> = {
  json: 'application/json,text/json;q=0.9,*/*;q=0.5',
  yaml: 'application/yaml,text/yaml;q=0.9,*/*;q=0.5',
  toml: 'application/toml,text/toml;q=0.9,*/*;q=0.5',
}

const ttlDefaultSeconds = 300
const ttlMinSeconds = 60
const ttlMaxSeconds = 86_400

/** How long a document holds by its own member `cacheSeconds`. Rejects with FetchFailure if it cannot be read. */
async function ttlSecondsOf(format: DocumentFormat, text: string): Promise<number> {
  const document = await parseDocument(format, text)
  const own = (document as { readonly cacheSeconds?: unknown } | null)?.cacheSeconds
  const seconds = typeof own === 'number' || typeof own === 'string' ? Number(own) : Number.NaN
  return Number.isNaN(seconds) || own === ''
    ? ttlDefaultSeconds
    : Math.round(Math.min(ttlMaxSeconds, Math.max(ttlMinSeconds, seconds)))
}

async function find(
  text: string,
  format: DocumentFormat,
  path: string | undefined,
): Promise<DocumentFacts | FetchFailure> {
  try {
    const document = await parseDocument(format, text)
    if (path === undefined) return endpointFacts(document)
    return foundFacts(await createCpuBudget().run(search(path, document)))
  } catch (error) {
    if (error instanceof PathTooCostly) return new FetchFailure('too_complex')
    if (error instanceof FetchFailure) return error
    throw error
  }
}

/** Nothing can interrupt a query, so it starts in a turn of the event loop in which little else was done. */
function* search(path: string, document: unknown): Generator<void, readonly unknown[]> {
  yield
  return findByPath(path, document)
}
