import { FetchFailure } from '../../../web/fetch-failure.ts'
import type { PageValidators } from '../../../web/fetched-page.ts'
import { keptValidators } from '../../../web/kept-validators.ts'
import type { WebFetcher } from '../../../web/web-fetcher.ts'
import type { DocumentFormat } from './parse-document.ts'

export const documentBytesMax = 65_536
const totalMsMax = 3_000

/** A document as its site sent it. */
export interface FetchedDocument extends PageValidators {
  readonly text: string
}

/**
 * Fetches a document. Undefined if the one that the validators name has not changed. Rejects with FetchFailure, also for
 * what is longer than 64 KiB.
 */
export async function fetchDocument(
  url: string,
  format: DocumentFormat,
  fetcher: WebFetcher,
  validators: PageValidators,
): Promise<FetchedDocument | undefined> {
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
