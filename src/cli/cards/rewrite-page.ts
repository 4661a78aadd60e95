import type { PageText } from './page-text.ts'
import { type MetaTag, type ScannedHead, type Span, scanHead, spaceBefore } from './scan-head.ts'

/** A page without the tags that an earlier run wrote: what its generator made, byte for byte. */
export interface OriginalPage {
  readonly page: PageText
  readonly head: ScannedHead
  readonly tags: readonly string[]
}

export function originalPage(page: PageText): OriginalPage {
  const head = scanHead(page)
  const ours = head.metas.filter(({ isOurs }) => isOurs)
  if (ours.length === 0) return { page, head, tags: [] }
  const tags = ours.map(({ start, end }) => page.text.slice(start, end))
  return { ...withoutTags(page, ours), tags }
}

/**
 * Returns the bytes of a page with these tags, one a line in the indentation of the page. Tags stand behind an element, so
 * that all white space before them is theirs and goes with them.
 *
 * @param replaced tags of the page that are taken out
 */
export function writeTags(
  original: Pick<OriginalPage, 'page' | 'head'>,
  tags: readonly string[],
  replaced: readonly MetaTag[],
): Uint8Array {
  const { page, head } = replaced.length === 0 ? original : withoutTags(original.page, replaced)
  const { insertAt, separator } = head
  const block = (insertAt === 0 ? '' : separator) + tags.join(separator)
  return page.bytesOf(page.text.slice(0, insertAt) + block + page.text.slice(insertAt))
}

/** Cuts tags out of a page, each with the white space before it. */
function withoutTags(page: PageText, tags: readonly Span[]): Pick<OriginalPage, 'page' | 'head'> {
  let text = ''
  let at = 0
  for (const { start, end } of tags) {
    text += page.text.slice(at, Math.max(at, spaceBefore(page.text, start)))
    at = end
  }
  const rest = { ...page, text: text + page.text.slice(at) }
  return { page: rest, head: scanHead(rest) }
}
