import { percentDecode } from '../../lib/percent-decode.ts'

export interface LlmsPage {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

export interface LlmsRequest {
  readonly host: string
  readonly name: string | undefined
  readonly summary: string | undefined
  readonly pages: readonly LlmsPage[]
}

/** Writes an llms.txt: a section for each first path segment with several pages, legal pages under Optional. */
export function writeLlms({ host, name, summary, pages }: LlmsRequest): string {
  const sections = Map.groupBy(pages.slice(0, pagesMax), ({ url }) => sectionOf(url))
  const body = orderedSections(sections).map(
    ([title, list]) => `## ${title}\n\n${list.map(line).join('\n')}\n`,
  )
  const title = plainText(name, titleCharsMax) ?? host
  const blurb = plainText(summary, summaryCharsMax) ?? `The website at ${host}.`
  return [`# ${title}\n`, `> ${blurb}\n`, ...body].join('\n')
}

const optionalSection = 'Optional'
const mainSection = 'Pages'
const pagesMax = 200
const sectionsMax = 12
const titleCharsMax = 120
const summaryCharsMax = 300

const legalPage =
  /^(?:privacy|terms|legal|imprint|impressum|cookies?|disclaimer|licen[cs]e|datenschutz|agb|gdpr|tos|eula|copyright|accessibility)(?:$|[-_.])/i

function sectionOf(url: string): string {
  const segments = segmentsOf(url)
  if (segments.some((segment) => legalPage.test(segment))) return optionalSection
  return segments.length < 2 ? mainSection : titleFromSlug(segments[0] ?? '')
}

function orderedSections(
  sections: ReadonlyMap<string, readonly LlmsPage[]>,
): readonly (readonly [string, readonly LlmsPage[]])[] {
  const optional = sections.get(optionalSection) ?? []
  const others = [...sections].filter(([title]) => title !== mainSection && title !== optionalSection)
  const large = others.filter(([, pages]) => pages.length > 1).slice(0, sectionsMax)
  const small = others.filter((section) => !large.includes(section)).flatMap(([, pages]) => pages)
  const main = [...(sections.get(mainSection) ?? []), ...small]
  const all = [[mainSection, main] as const, ...large, [optionalSection, optional] as const]
  return all.filter(([, pages]) => pages.length > 0)
}

function line({ url, title, description }: LlmsPage): string {
  const text = plainText(title, titleCharsMax) ?? titleOfUrl(url)
  const note = plainText(description, summaryCharsMax)
  return `- [${text}](${linkTarget(url)})${note === undefined ? '' : `: ${note}`}`
}

function linkTarget(url: string): string {
  return new URL(url).href.replace(
    /[()<>\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Text without the characters that Markdown gives a meaning. */
function plainText(raw: string | undefined, charsMax: number): string | undefined {
  const text = (raw ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[[\]<>`*~\\]/g, (character) => substitutes[character] ?? '')
    .replace(/^[\s#+=-]+/, '')
    .trim()
  if (!visibleCharacter.test(text)) return undefined
  const characters = [...text]
  return characters.length <= charsMax
    ? text
    : `${characters
        .slice(0, charsMax - 1)
        .join('')
        .trimEnd()}…`
}

const visibleCharacter = /[^\p{C}\p{Z}\p{M}]/u
const substitutes: Readonly<Record<string, string>> = { '[': '(', ']': ')', '<': '‹', '>': '›', '`': '’' }

function titleOfUrl(url: string): string {
  const last = segmentsOf(url).at(-1)
  return last === undefined ? 'Home' : titleFromSlug(last)
}

function segmentsOf(url: string): readonly string[] {
  return new URL(url).pathname.split('/').filter((segment) => segment !== '')
}

function titleFromSlug(slug: string): string {
  const words = (percentDecode(slug) ?? slug)
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  const [first = '', ...rest] = [...words]
  return plainText(first.toUpperCase() + rest.join(''), titleCharsMax) ?? 'Page'
}
