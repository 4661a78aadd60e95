import { percentDecode } from '../../lib/query-pairs.ts'
import { words } from '../../lib/words.ts'
import vocabulary from './data/llms-words.json' with { type: 'json' }

export interface LlmsPage {
  readonly url: string
  /** The URL of its text as Markdown, which it names. */
  readonly markdown?: string | undefined
  /** Undefined, like heading, description and language, if the page was not read. */
  readonly title?: string | undefined
  readonly heading?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | undefined
  readonly listedTitle?: string | undefined
  readonly linkTexts?: readonly string[] | undefined
  readonly linkCount?: number | undefined
  /** Place among all links, in the order in which they were found. */
  readonly linkOrder?: number | undefined
  readonly lastmod?: string | undefined
}

export interface LlmsPlace {
  readonly section: string
  readonly isOptional: boolean
  /** Segments of the path without language, version and dates. */
  readonly depth: number
}

export const optionalSection = 'Optional'
export const mainSection = 'Pages'

/**
 * Returns the places of pages. They follow from the paths of all of them: which segments are languages and versions shows only
 * beside the others. Yields after every small step.
 */
export function* findPlaces(
  pages: readonly LlmsPage[],
  siteLanguage: string | undefined,
): Generator<void, (url: string) => LlmsPlace> {
  const own = siteLanguage?.toLowerCase()
  const segmentsByUrl = new Map<string, readonly string[]>()
  /** Languages and versions in place of a segment, by the path before them, with how many pages they have. */
  const languagesAt = new Map<string, Map<string, number>>()
  const versionsAt = new Map<string, Set<string>>()
  /** Paths before a segment whose pages exist without it as well. */
  const mirrored = new Set<string>()
  /** Languages that pages below them are in. */
  const certain = new Set<string>()
  for (const { url } of pages) {
    segmentsByUrl.set(url, segmentsOf(new URL(url)))
    yield
  }
  const paths = new Set([...segmentsByUrl.values()].map((segments) => segments.join('/')))
  for (const page of pages) {
    learnVariants(page)
    yield
  }
  const ownLanguages = new Map(
    [...languagesAt].map(([before, found]) => [before, ownLanguage(before, found)] as const),
  )
  const newestVersions = new Map([...versionsAt].map(([before, found]) => [before, newestOf(found)] as const))
  return placeOf

  function placeOf(url: string): LlmsPlace {
    const search = url.includes('?') ? new URL(url).search : ''
    const all = segmentsByUrl.get(url) ?? []
    const kept: string[] = []
    let isVariant = isOtherLanguageQuery(search, own)
    for (const [index, segment] of all.entries()) {
      const variant =
        index < variantsDepthMax ? variantOf(all.slice(0, index).join('/'), segment, index) : 'none'
      if (variant === 'other') isVariant = true
      if (variant === 'none') kept.push(segment)
    }
    const meaningful = kept.filter((segment, index) => !isDate(segment, kept[index - 1]))
    const isDated = meaningful.length < kept.length && kept[0] !== meaningful[0]
    const isOptional =
      isVariant || (isDated && meaningful.length === 0) || isAside(meaningful, search) || isLegal(meaningful)
    const section = isDated ? 'Posts' : sectionOf(meaningful)
    return { section: isOptional ? optionalSection : section, isOptional, depth: kept.length }
  }

  function learnVariants({ url, language }: LlmsPage): void {
    const segments = segmentsByUrl.get(url) ?? []
    for (const [index, segment] of segments.slice(0, variantsDepthMax).entries()) {
      const before = segments.slice(0, index).join('/')
      const isLanguage = index < 2 && isLanguageSegment(segment)
      if (!isLanguage && !isVersion(segment)) continue
      const rest = segments.toSpliced(index, 1)
      const isMirror = rest.length > index && paths.has(rest.join('/'))
      if (isMirror) mirrored.add(`${before}|${isLanguage ? segment : 'version'}`)
      if (!isLanguage) versionsAt.getOrInsertComputed(before, () => new Set()).add(segment)
      else {
        const found = languagesAt.getOrInsertComputed(before, () => new Map())
        found.set(segment, (found.get(segment) ?? 0) + 1)
        if (language !== undefined && baseOf(language) === baseOf(segment))
          certain.add(`${before}|${segment}`)
      }
    }
  }

  function variantOf(before: string, segment: string, index: number): 'own' | 'other' | 'none' {
    if (index < 2 && isLanguageSegment(segment)) {
      const isOneOfSeveral = (languagesAt.get(before)?.size ?? 0) > 1
      const variant = `${before}|${segment}`
      if (isOneOfSeveral || mirrored.has(variant) || certain.has(variant))
        return segment === ownLanguages.get(before) ? 'own' : 'other'
    }
    const versions = versionsAt.get(before)
    if (versions?.has(segment) !== true) return 'none'
    const isMirrored = mirrored.has(`${before}|version`)
    if (!isMirrored && versions.size < 2) return isChannel(segment) ? 'none' : 'own'
    return !isMirrored && segment === newestVersions.get(before) ? 'own' : 'other'
  }

  /** The language of the home page, in the variant with most pages. Undefined if that has no segment of its own. */
  function ownLanguage(before: string, found: ReadonlyMap<string, number>): string | undefined {
    if (own !== undefined && found.has(own)) return own
    const ranked = [...found].sort(([, one], [, other]) => other - one).map(([segment]) => segment)
    const best = ranked.find((segment) => baseOf(segment) === baseOf(own ?? 'en'))
    const isUnnamed = own !== undefined || ranked.some((segment) => mirrored.has(`${before}|${segment}`))
    return best ?? (isUnnamed ? undefined : ranked[0])
  }
}

const variantsDepthMax = 4

function segmentsOf({ pathname }: URL): readonly string[] {
  const path = pathname.includes('%') ? (percentDecode(pathname) ?? pathname) : pathname
  return path.toLowerCase().split('/').filter(Boolean)
}

function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}

export function isLanguageSegment(segment: string): boolean {
  return /^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$/.test(segment) && languages.has(baseOf(segment))
}

function isOtherLanguageQuery(search: string, own: string | undefined): boolean {
  const language = /[?&](?:lang|language|locale|hl)=([a-z]{2})\b/i.exec(search)?.[1]
  return language !== undefined && baseOf(language) !== baseOf(own ?? 'en')
}

const languages: ReadonlySet<string> = new Set(words(vocabulary.languages))

const currents: ReadonlySet<string> = new Set(words(vocabulary.currents))
const channels: ReadonlySet<string> = new Set(words(vocabulary.channels))

function isVersion(segment: string): boolean {
  return (
    /^(?:v|version-?|release-?)\d{1,4}(?:[._-](?:\d{1,6}|x))*$/.test(segment) ||
    /^\d{1,4}(?:\.(?:\d{1,6}|x))+$/.test(segment) ||
    isChannel(segment)
  )
}

function isChannel(segment: string): boolean {
  return currents.has(segment) || channels.has(segment)
}

function newestOf(versions: ReadonlySet<string>): string | undefined {
  const current = [...versions].find((version) => currents.has(version))
  const numbered = [...versions].filter((version) => /\d/.test(version))
  return current ?? numbered.sort((one, other) => compareVersions(other, one))[0]
}

function compareVersions(one: string, other: string): number {
  const [ones = [], others = []] = [one, other].map((version) =>
    [...version.matchAll(/\d+|x/g)].map(([part]) => (part === 'x' ? Number.MAX_SAFE_INTEGER : Number(part))),
  )
  const differing = ones.findIndex((part, index) => part !== (others[index] ?? 0))
  return differing < 0 ? ones.length - others.length : (ones[differing] ?? 0) - (others[differing] ?? 0)
}

function isDate(segment: string, before: string | undefined): boolean {
  if (/^(?:19|20)\d\d(?:-\d\d){0,2}$/.test(segment)) return true
  return /^(?:0?[1-9]|[12]\d|3[01])$/.test(segment) && before !== undefined && /^\d{1,4}$/.test(before)
}

/** Lists of pages that are listed themselves, and what is for single visitors. */
function isAside(segments: readonly string[], search: string): boolean {
  const [first = '', second = ''] = segments
  if (asides.has(first) || (postSections.has(sectionNames.get(first) ?? '') && asides.has(second)))
    return true
  const isNumbered = segments.at(-2) === 'page' && /^\d+$/.test(segments.at(-1) ?? '')
  return isNumbered || /[?&](?:s|q|query|search|page|paged|sort|order|filter|tag|replytocom)=/i.test(search)
}

const asides: ReadonlySet<string> = new Set(words(vocabulary.asides))

function isLegal(segments: readonly string[]): boolean {
  const isRead = readSections.has(sectionNames.get(segments[0] ?? '') ?? '')
  return !isRead && segments.some((segment) => legalPage.test(segment))
}

const legalPage =
  /^(?:privacy|terms|legal|imprint|impressum|cookies?|disclaimer|licen[cs]e|datenschutz|agb|gdpr|tos|eula|copyright|accessibility)(?:$|[-_.])/

function sectionOf(segments: readonly string[]): string {
  const [first = '', second = ''] = segments.map((segment) => segment.replace(/\.[a-z]{2,5}$/, ''))
  const named = sectionNames.get(first)
  const inside = named === 'Docs' && segments.length > 2 ? sectionNames.get(second) : undefined
  if (inside === 'Guides' || inside === 'API') return inside
  return named ?? (segments.length < 2 ? mainSection : slugTitle(first))
}

const sectionNames: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabulary.sections).flatMap(([section, names]) =>
    words(names).map((name) => [name, section] as const),
  ),
)

export const postSections: ReadonlySet<string> = new Set(['Blog', 'Posts', 'News'])
/** Sections in which a page named after a law explains it. */
const readSections: ReadonlySet<string> = new Set(['Docs', 'Guides', 'API', 'Help', ...postSections])

/** The empty one is in the place of all others. */
const sectionOrder = [mainSection, 'Docs', 'Guides', 'API', '', 'Help', 'Blog', 'Posts', 'News', 'Company']

export function sectionRank(section: string): number {
  if (section === optionalSection) return sectionOrder.length
  return sectionOrder.indexOf(sectionOrder.includes(section) ? section : '')
}

export function slugTitle(slug: string): string {
  const text = (percentDecode(slug) ?? slug)
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  const spelled = text
    .split(' ')
    .map((word) => (isAcronym(word) ? word.toUpperCase() : word))
    .join(' ')
  const [first = '', ...rest] = [...spelled]
  return first.toUpperCase() + rest.join('')
}

function isAcronym(word: string): boolean {
  return acronyms.has(word.toLowerCase()) || /^[bcdfghjklmnpqrstvwxz]{2,4}$/i.test(word)
}

const acronyms: ReadonlySet<string> = new Set(words(vocabulary.acronyms))
