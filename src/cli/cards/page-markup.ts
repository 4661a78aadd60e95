import { decodeHTMLAttribute } from 'entities'
import { type Attributes, type MarkupHandler, MarkupReader } from '../../assets/preview/markup-reader.ts'
import { bomEncoding } from '../../web/charset.ts'

/** A page without the tags that an earlier run wrote: what its generator made, byte for byte. */
export interface OriginalPage {
  readonly page: PageText
  readonly head: ReturnType<typeof scanHead>
  readonly tags: readonly string[]
}

export function originalPage(page: PageText): OriginalPage {
  const head = scanHead(page)
  const ours = head.metas.filter(({ isOurs }) => isOurs)
  if (ours.length === 0) return { page, head, tags: [] }
  const tags = ours.map(({ start, end }) => page.text.slice(start, end))
  return { ...withoutTags(page, ours), tags }
}

/** The bytes of a page with these tags, one a line, indented as in the page, without the tags `replaced`. White space before a tag belongs to it. */
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

/** A page as a text of which every byte can be had back, whatever its charset. Only its ASCII characters are what they are. */
interface PageText {
  readonly text: string
  readonly isByteWise: boolean
  bytesOf(text: string): Uint8Array
}

/** In the charsets of the web but UTF-16 and ISO-2022-JP, which no page of today is in, no byte of a longer character is one of markup. */
export function openPageText(bytes: Uint8Array): PageText {
  const encoding = bomEncoding(bytes)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return openWide(bytes, encoding === 'utf-16be')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return { text, isByteWise: true, bytesOf: (changed) => Buffer.from(changed, 'latin1') }
}

function openWide(bytes: Uint8Array, isBigEndian: boolean): PageText {
  const evenBytes = bytes.length - (bytes.length % 2)
  const units = Buffer.from(bytes.subarray(0, evenBytes))
  const text = (isBigEndian ? units.swap16() : units).toString('utf16le')
  return {
    text,
    isByteWise: false,
    bytesOf(changed) {
      const written = Buffer.from(changed, 'utf16le')
      return Buffer.concat([isBigEndian ? written.swap16() : written, bytes.subarray(evenBytes)])
    },
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

interface MetaTag extends Span {
  readonly name: string
  readonly content: string
  readonly isOurs: boolean
  readonly isInHead: boolean
}

export const ownAttribute = 'data-mintmark'

/** The white space before a place, which begins with a line break; empty where there is none. */
function spaceBefore(text: string, end: number): number {
  let start = end
  while (start > 0 && isSpace(text.charCodeAt(start - 1))) start -= 1
  return start
}

function lineBreakBefore(text: string, at: number): string {
  const space = text.slice(spaceBefore(text, at), at)
  const last = Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r'))
  if (last < 0) return ''
  return space.slice(space.startsWith('\r\n', last - 1) ? last - 1 : last)
}

/** The end of byte order mark, XML declaration, document type and comments at the beginning. */
function endOfProlog(text: string): number {
  let end = /^(?:\ufeff|\u00ef\u00bb\u00bf)?/.exec(text)?.[0].length ?? 0
  for (;;) {
    const start = skipSpace(text, end)
    const isComment = text.startsWith('<!--', start)
    if (!isComment && !/^<[!?]/.test(text.slice(start, start + 2))) return end
    const close = isComment ? text.indexOf('-->', start + 4) + 2 : text.indexOf('>', start)
    if (close < start + 2) return end
    end = close + 1
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
}

/** Elements that may be in a head. Any other, and any text, ends one that has no end tag. */
const headElements = new Set(
  'html head meta link title base basefont bgsound script style noscript template noframes'.split(' '),
)
/** Elements of a head that end with an end tag of their own. */
const closedElements = new Set('title script style noscript template noframes'.split(' '))
const invisibleElements = new Set('link script style template'.split(' '))
const hidingElements = new Set(['noscript', 'template'])

interface OpenElement extends Pick<Span, 'start'> {
  readonly isInHead: boolean
  /** Its content counts for nothing. */
  readonly isHidden: boolean
  /** Its text is not text of the page. */
  readonly isClosed: boolean
}

/** The head of most pages is shorter. */
const pieceChars = 4_096

function scanHead({ text: markup, isByteWise }: PageText) {
  const metas: MetaTag[] = []
  let canonical: string | undefined
  let hasMarkup = false
  let isOver = false
  let last: Span | undefined
  let lastOfPreviews: Span | undefined
  let charset: Span | undefined

  function readValue(attributes: Attributes, name: string): string {
    const raw = attributes.get(name) ?? ''
    return decodeHTMLAttribute(isByteWise ? Buffer.from(raw, 'latin1').toString('utf8') : raw)
  }

  function readMeta(attributes: Attributes, span: Span): void {
    const isInHead = !isOver
    if (isInHead && (attributes.has('charset') || /charset/i.test(attributes.get('content') ?? '')))
      charset = span
    const name = (readValue(attributes, 'property') || readValue(attributes, 'name')).trim().toLowerCase()
    if (name === '') return
    const isPreview = /^(?:og|twitter|fediverse):/.test(name)
    const isOurs = isPreview && attributes.has(ownAttribute)
    metas.push({ ...span, name, content: readValue(attributes, 'content'), isOurs, isInHead })
    if (isInHead && name.startsWith('og:')) lastOfPreviews = span
  }

  const handler: MarkupHandler<OpenElement> = {
    open({ name }, attributes, around) {
      hasMarkup ||= !invisibleElements.has(name)
      const span = { start: reader.tagStart, end: reader.at + 1 }
      if (!around.isHidden) {
        if (!headElements.has(name)) isOver = true
        if (!isOver && !closedElements.has(name)) last = span
        if (name === 'meta') readMeta(attributes, span)
        if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.get('rel') ?? ''))
          canonical ??= readValue(attributes, 'href')
      }
      return {
        start: span.start,
        isInHead: !isOver && !around.isHidden,
        isHidden: around.isHidden || hidingElements.has(name),
        isClosed: around.isClosed || closedElements.has(name),
      }
    },
    close({ name }, { start, isInHead }) {
      const { at } = reader
      const hasEndTag = markup.slice(at - name.length, at).toLowerCase() === name
      if (isOver || !isInHead || !hasEndTag) return
      if (name === 'head') isOver = true
      if (closedElements.has(name)) last = { start, end: markup.indexOf('>', at) + 1 }
    },
    isListening: ({ isClosed }) => !isOver && !isClosed,
    text(text) {
      if (skipSpace(text, 0) < text.length) isOver = true
    },
  }
  const outside = { start: 0, isInHead: true, isHidden: false, isClosed: false }
  const reader = new MarkupReader(handler, outside, { isRaw: true })
  // Behind the head only these tags count, and most pages have none there, so the rest is not read.
  const lastTagAt = [...markup.matchAll(/<(?:meta|link)/gi)].at(-1)?.index ?? -1
  for (let at = 0; at < markup.length; at += pieceChars) {
    reader.write(markup.slice(at, at + pieceChars))
    if (isOver && hasMarkup && reader.tagStart > lastTagAt) break
  }
  return { metas, canonical, hasMarkup, ...placeOfTags(markup, lastOfPreviews ?? last, charset) }
}

/** Tags go behind the page's own for previews, else to the end of the head. Browsers look for a charset in the first kilobyte. */
function placeOfTags(markup: string, lastTag: Span | undefined, charset: Span | undefined) {
  if (lastTag === undefined) {
    const insertAt = endOfProlog(markup)
    return { insertAt, separator: /^\r?\n|^\r/.exec(markup.slice(insertAt, insertAt + 2))?.[0] ?? '' }
  }
  const { start, end } = charset !== undefined && charset.end > lastTag.end ? charset : lastTag
  return { insertAt: end, separator: lineBreakBefore(markup, start) }
}
