import { isHtml } from './content-type.ts'
import { filePreview } from './file-preview.ts'
import { createPageParser } from './page-parser.ts'
import type { PageFields } from './preview.ts'

export interface PreviewSource {
  /** The page's URL after redirects. */
  readonly url: string
  /** Response headers, lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

export type ParsedPreview = PageFields & {
  readonly charset: { readonly encoding: string | null; readonly source: string | null }
  readonly truncated: boolean
}

/** Parses a body that is in memory as a whole. */
export async function parsePreview(
  body: Uint8Array,
  { url, headers }: PreviewSource,
): Promise<ParsedPreview> {
  const contentType = headers['content-type'] ?? ''
  if (!isHtml(contentType)) {
    return { ...filePreview({ url, headers }), charset: { encoding: null, source: null }, truncated: false }
  }
  const parser = createPageParser({ url, headers, contentType })
  await parser.write(body)
  const { fields, charset, cut } = await parser.finish()
  return { ...fields, charset, truncated: cut }
}
