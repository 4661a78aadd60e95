import { percentDecode } from '../lib/percent-decode.ts'
export interface LlmsPage {
  readonly url: string
  readonly title: string | null
  readonly description: string | null
}

export interface LlmsRequest {
  readonly host: string
  readonly name: string | null
  readonly summary: string | null
  readonly pages: readonly LlmsPage[]
}

/**
 * An llms.txt: the site's name, what it is, and its pages in one section for each first part of a path.
 * Texts of strangers stay texts: nothing in them can make a link, a heading or a tag.
 */
export const writeLlms = ({ host, name, summary, pages }: LlmsRequest): string => {
  const sections = new Map<string, LlmsPage[]>()
  for (const page of pages.slice(0, PAGES_MAX)) {
    const section = sectionOf(page.url)
    sections.set(section, [...(sections.get(section) ?? []), page])
  }
  const optional = sections.get(OPTIONAL)
  sections.delete(OPTIONAL)
  const ordered = [...foldSmall(sections), ...(optional === undefined ? [] : [[OPTIONAL, optional] as const])]
  const body = ordered.map(([title, list]) => `## ${title}\n\n${list.map(line).join('\n')}\n`)
  const title = plainText(name, TITLE_CHARS_MAX) ?? host
  const blurb = plainText(summary, SUMMARY_CHARS_MAX) ?? `The website at ${host}.`
  return [`# ${title}\n`, `> ${blurb}\n`, ...body].join('\n')
}

const OPTIONAL = 'Optional'
const MAIN = 'Pages'
const PAGES_MAX = 200
const SECTIONS_MAX = 12
const TITLE_CHARS_MAX = 120
const SUMMARY_CHARS_MAX = 300

const LEGAL =
  /^(?:privacy|terms|legal|imprint|impressum|cookies?|disclaimer|licen[cs]e|datenschutz|agb|gdpr|tos|eula|copyright|accessibility)(?:$|[-_.])/i

const sectionOf = (url: string): string => {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '')
  if (segments.some((segment) => LEGAL.test(segment))) return OPTIONAL
  return segments.length < 2 ? MAIN : titleFromSlug(segments[0] ?? '')
}

/** Sections of a single page, and those beyond a readable number, go to the main one. */
const foldSmall = (
  sections: ReadonlyMap<string, readonly LlmsPage[]>,
): readonly (readonly [string, readonly LlmsPage[]])[] => {
  const others = [...sections].filter(([title]) => title !== MAIN)
  const large = others.filter(([, pages]) => pages.length > 1).slice(0, SECTIONS_MAX)
  const small = others.filter((section) => !large.includes(section)).flatMap(([, pages]) => pages)
  const main = [...(sections.get(MAIN) ?? []), ...small]
  return [...(main.length === 0 ? [] : [[MAIN, main] as const]), ...large]
}

const line = ({ url, title, description }: LlmsPage): string => {
  const text = plainText(title, TITLE_CHARS_MAX) ?? titleOfUrl(url)
  const note = plainText(description, SUMMARY_CHARS_MAX)
  return `- [${text}](${linkTarget(url)})${note === null ? '' : `: ${note}`}`
}

const linkTarget = (url: string): string =>
  new URL(url).href.replace(
    /[()<>\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** One line without the characters that Markdown gives a meaning. Null when nothing is left that could be seen. */
const plainText = (raw: string | null, charsMax: number): string | null => {
  const text = (raw ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[[\]<>`*~\\]/g, (character) => PLAIN[character] ?? '')
    .replace(/^[\s#+=-]+/, '')
    .trim()
  if (!VISIBLE.test(text)) return null
  const characters = [...text]
  return characters.length <= charsMax
    ? text
    : `${characters
        .slice(0, charsMax - 1)
        .join('')
        .trimEnd()}…`
}

const VISIBLE = /[^\p{C}\p{Z}\p{M}]/u
const PLAIN: Readonly<Record<string, string>> = { '[': '(', ']': ')', '<': '‹', '>': '›', '`': '’' }

const titleOfUrl = (url: string): string => {
  const last = new URL(url).pathname
    .split('/')
    .filter((segment) => segment !== '')
    .at(-1)
  return last === undefined ? 'Home' : titleFromSlug(last)
}

const titleFromSlug = (slug: string): string => {
  const words = decoded(slug)
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  const [first = '', ...rest] = [...words]
  return plainText(first.toUpperCase() + rest.join(''), TITLE_CHARS_MAX) ?? 'Page'
}

const decoded = (text: string): string => percentDecode(text) ?? text
