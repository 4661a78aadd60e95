import { createCpuBudget } from '../../../lib/cooperative-scheduler.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import type { CachedDocument } from './document-cache.ts'
import { type DocumentFacts, endpointFacts, foundFacts } from './document-facts.ts'
import { createDocuments, type DocumentRequest, type DocumentsDeps } from './documents.ts'
import { findByPath, PathTooCostly, pathMistake } from './json-path.ts'
import { parseDocument } from './parse-document.ts'
import type { DocumentSource } from './source.ts'

/** The facts of a document, and for how many seconds they may be repeated. */
export interface FoundFacts {
  readonly facts: DocumentFacts
  readonly ttlSeconds: number
}

export type DocumentReader = ReturnType<typeof createDocumentReader>

/** Finds in documents of other sites what badges show. */
export function createDocumentReader(deps: DocumentsDeps) {
  const documents = createDocuments(deps)

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
      const document = documents.fresh(source)
      if (document !== undefined) document.uses += 1
    },
    /** The facts, if nothing has to be fetched or searched for them. */
    fresh(source: DocumentSource): FoundFacts | undefined {
      const document = documents.fresh(source)
      const answer = document?.answers.get(source.path ?? '')
      if (document === undefined || answer === undefined || answer instanceof FetchFailure) return undefined
      return { facts: answer, ttlSeconds: document.ttlSeconds }
    },
    /** Rejects with FetchFailure. */
    async read(source: DocumentSource, how: Pick<DocumentRequest, 'requester' | 'beforeFetch'>) {
      const document = await documents.read({ url: source.url, format: source.format, ...how })
      const answer = await answerOf(document, source)
      if (answer instanceof FetchFailure) throw answer
      return { facts: answer, ttlSeconds: document.ttlSeconds }
    },
  }
}

async function find(
  text: string,
  format: DocumentSource['format'],
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
