import type { FetchedPage, FetchPageOptions } from '../../../src/web/fetched-page.ts'
import type { WebFetcher } from '../../../src/web/web-fetcher.ts'

export async function fetchText(
  fetcher: WebFetcher,
  url: string,
  options: Omit<FetchPageOptions, 'sink'> = {},
): Promise<FetchedPage & { readonly text: string }> {
  const chunks: Uint8Array[] = []
  function text() {
    return Buffer.concat(chunks).toString('utf8')
  }
  const page = await fetcher.fetchPage(url, {
    ...options,
    sink: () => ({
      write(chunk) {
        chunks.push(chunk)
        return !Buffer.from(chunk).includes('<stop>')
      },
      isUseful: () => text().includes('</title>'),
    }),
  })
  return { ...page, text: text() }
}
