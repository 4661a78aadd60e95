import { listOfArticles } from '../../assets/preview/fields/texts.ts'
import { letters } from '../../assets/preview/site-name.ts'
import { namesInTitle } from '../../assets/preview/title-without-site.ts'
import { saidOnly } from '../../lib/json.ts'
import type { PageFacts } from './page-facts.ts'
import { isFrontPage } from './page-path.ts'

export type SiteFacts = ReturnType<typeof findSiteFacts>

interface CountedPage {
  readonly file: string
  readonly facts: PageFacts
}

/** Finds what pages share. @param knownDefaults pictures that an earlier run has replaced */
export function findSiteFacts(pages: readonly CountedPage[], base: string, knownDefaults: readonly string[]) {
  const parts = sharedByFolder(pages, ({ title }) => namesInTitle(title).map(letters))
  const descriptions = sharedByFolder(pages, (facts) => (facts.isParagraph ? [] : [withoutOwnName(facts)]))
  const pictures = sharedByFolder(pages, ({ picture }) => [picture])
  const isSharedTitle = repeated(pages, ({ facts: { title } }) => [title])
  const isSharedHeading = repeated(pages, ({ facts: { heading } }) => [heading])
  const bannerMin = Math.max(sharedMin, pages.length * bannerShare)
  const isSharedText = repeated(
    pages,
    ({ file, facts }) => (isDeclared(file, facts) ? [] : ownParagraphs(facts)),
    bannerMin,
  )
  const frontText = pages.find(({ file, facts }) => isFrontPage(file) && !facts.isParagraph)?.facts
    .description
  const buildDay = buildDayOf(pages)
  function isDeclared(file: string, facts: PageFacts): boolean {
    return !facts.isParagraph && !isDefault(file, facts)
  }
  function isDefault(file: string, facts: PageFacts): boolean {
    return facts.isParagraph !== true && descriptions(file).has(withoutOwnName(facts) ?? '')
  }

  return {
    /** Ends with a slash. */
    base,
    name: nameOf(pages, parts('')),
    defaultPictures: new Set([...knownDefaults, ...pictures('')]),
    /** Parts of titles, as letters, that most pages share in one of the folders that a page is in. */
    titlePartsAt: parts,
    /** Facts of a page without what it shares with others: a title of many pages, and descriptions that describe none. */
    ownFacts(file: string, facts: PageFacts): PageFacts {
      const { title, heading, description: declared, published, ...rest } = facts
      const isHeadingBetter = isSharedTitle(title) && heading !== undefined && !isSharedHeading(heading)
      const paragraph = ownParagraphs(facts).find((text) => !isSharedText(text))
      const isFront = isFrontPage(file) || frontPages.test(file)
      const isOfSite = isDefault(file, facts) || (declared !== undefined && declared === frontText)
      const isSpare = facts.isParagraph ? !facts.isMarginal : !isOfSite || !listOfArticles.test(`/${file}`)
      const texts = facts.isParagraph
        ? ownParagraphs(facts).filter((text) => !isSharedText(text, bannerMin))
        : [declared]
      const spare = isSpare ? texts[0] : undefined
      const isOwn = isFront ? !facts.isParagraph : spare === declared && isDeclared(file, facts)
      const description = isOwn ? declared : (paragraph ?? spare)
      return {
        ...rest,
        ...saidOnly({
          title: isHeadingBetter ? heading : title,
          heading,
          description,
          published: buildDay !== undefined && published?.startsWith(buildDay) ? undefined : published,
        }),
      }
    },
  }
}

/** The description without what the page is called: generators write `Reference for Gtk.Button`. */
function withoutOwnName({ title, description }: PageFacts): string | undefined {
  return namesInTitle(title).reduce((text, name) => text?.replace(name, () => ''), description)
}

/** The further pages of the list of all articles that a front page is. */
const frontPages = /^(?:[a-z]{2}(?:-\w{2,4})?\/)?page\/\d+(?:\/index)?\.x?html?$/i

/** One page more or less says nothing. */
const sharedMin = 3
/** The share of pages from which on a text is a notice of the site, and of no page. */
const bannerShare = 1 / 60

function ownParagraphs({ description, paragraphs, isParagraph }: PageFacts): readonly string[] {
  return isParagraph && description !== undefined ? [description, ...paragraphs] : paragraphs
}

/** The day that most of many pages were published on, as they say: generators write when they ran. */
function buildDayOf(pages: readonly CountedPage[]): string | undefined {
  const [day, count = 0] = mostFrequent(pages.map(({ facts: { published } }) => published?.slice(0, 10)))
  return count >= pagesOfBuildMin && count * 2 > pages.length ? day : undefined
}

/** A few pages may be of one day. */
const pagesOfBuildMin = 10

/** The name that most pages with a title declare, else the part that most titles have. */
function nameOf(pages: readonly CountedPage[], sharedParts: ReadonlySet<string>): string | undefined {
  const titled = pages.filter(({ facts: { title } }) => title !== undefined)
  const [declared, count = 0] = mostFrequent(titled.map(({ facts: { siteName } }) => siteName))
  if (count * 2 > titled.length && (count >= sharedMin || count === titled.length)) return declared
  const shared = titled.flatMap(({ facts: { title } }) =>
    namesInTitle(title).filter((part) => sharedParts.has(letters(part))),
  )
  return mostFrequent(shared.filter((part) => !/^https?:/i.test(part)))[0]
}

function mostFrequent(texts: readonly (string | undefined)[]): readonly [text?: string, count?: number] {
  return [...countOf(texts)].toSorted(([, one], [, other]) => other - one)[0] ?? []
}

function countOf(texts: Iterable<string | undefined>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts)
    if (text !== undefined && text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Tells the texts that so many pages have. A page that is there in several versions counts once. */
function repeated(
  pages: readonly CountedPage[],
  textsOf: (page: CountedPage) => readonly (string | undefined)[],
  countMax = sharedMin,
): (text: string | undefined, pagesMin?: number) => boolean {
  const names = new Map<string, Set<string>>()
  for (const page of pages) {
    const { file } = page
    const name = file
      .split('/')
      .slice(isIndex(file) ? -2 : -1)
      .join('/')
    for (const text of textsOf(page)) {
      if (text === undefined) continue
      const others = names.get(text)
      if (others === undefined) names.set(text, new Set([name]))
      else if (others.size < countMax) others.add(name)
    }
  }
  return (text = '', pagesMin = sharedMin) => (names.get(text)?.size ?? 0) >= pagesMin
}

function sharedByFolder(
  pages: readonly CountedPage[],
  textsOf: (facts: PageFacts) => readonly (string | undefined)[],
): (file: string) => ReadonlySet<string> {
  const totals = countOf(pages.flatMap(({ facts }) => [...new Set(textsOf(facts))]))
  const pagesOf = countOf(pages.flatMap(({ file }) => foldersOf(file)))
  const folders = new Map<string, Map<string, number>>()
  for (const { file, facts } of pages) {
    const texts = [...new Set(textsOf(facts))].filter((text = '') => (totals.get(text) ?? 0) >= sharedMin)
    for (const folder of texts.length === 0 ? [] : foldersOf(file)) {
      const counts = folders.get(folder) ?? new Map<string, number>()
      for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
      folders.set(folder, counts)
    }
  }
  const shared = new Map(
    [...folders].map(([folder, counts]) => {
      const isShared = (count: number) => count >= sharedMin && count * 2 > (pagesOf.get(folder) ?? 0)
      return [folder, [...counts].filter(([, count]) => isShared(count)).map(([text]) => text)] as const
    }),
  )
  return (file) => new Set(foldersOf(file).flatMap((folder) => shared.get(folder) ?? []))
}

function foldersOf(file: string): readonly string[] {
  const names = file.split('/').slice(0, -1)
  const around = names.slice(0, foldersMax).map((_, index) => names.slice(0, index + 1).join('/'))
  return [root, ...around, `${(isIndex(file) ? names.slice(0, -1) : names).join('/')}/*`]
}

function isIndex(file: string): boolean {
  return /(?:^|\/)index\.x?html?$/i.test(file)
}

const root = '.'
const foldersMax = 6
