import { headingOf, isList, nameOfHeading, wordsOf } from '../nearest-to-heading.ts'
import { firstParagraphs } from '../page-metadata.ts'
import { cutAtSentence, isPlaceholder, nonEmptyText, withoutInlineMarkup, withoutTags } from '../page-text.ts'
import {
  type FieldRule,
  itemprop,
  linkedData,
  meta,
  metaContents,
  oncePerPage,
  type PreviewedPage,
  passing,
} from '../rule.ts'
import { letters, titleParts } from '../site-name.ts'

const titles: readonly FieldRule<string>[] = [
  ...[meta('og:title'), meta('twitter:title')].map((rule) => passing(rule, isWhole)),
  { source: 'title', find: ({ metadata }) => filledIn(metadata.title) },
  linkedData('headline'),
  linkedData('name'),
  {
    source: 'h1',
    find: ({ metadata }) => filledIn(metadata.headings.find(({ level }) => level === 1)?.text),
  },
]

/** Returns whether no quote in a title has ended it early, as in `content="Create a "src" object"`. */
function isWhole(text: string, { metadata }: PreviewedPage): boolean {
  const title = nonEmptyText(metadata.title) ?? ''
  return !title.startsWith(text) || !/^:? ?["'“]/.test(title.slice(text.length))
}

/** The name of the site is the title only where nothing says more. What is in `<title>` is text, tags too. */
export const titleRules: readonly FieldRule<string>[] = [
  ...titles.map((rule) => passing(rule, (title, page) => !page.isSiteName(title))),
  ...titles,
].map(({ source, find }) => ({
  source,
  find: (page) => {
    const title = find(page)
    return title === undefined || source === 'title' ? title : withoutInlineMarkup(title)
  },
}))

const described: readonly FieldRule<string>[] = [
  meta('og:description'),
  meta('twitter:description'),
  meta('description'),
  meta('dc.description'),
  itemprop('description'),
  linkedData('description'),
  {
    source: 'p',
    find: (page) => {
      const [first] = isListPage(page) ? [] : firstParagraphs(page.metadata)
      const text = first && (textBeforeArticles(page) ?? first)
      return text === undefined ? undefined : (ownSummary(page) ?? partsInstead(text, page) ?? text)
    },
  },
]

/** The first words below the page's own heading, where its articles are entries of what it describes. */
function textBeforeArticles(page: PreviewedPage): string | undefined {
  const { headings, headingsBeforeArticles, isIntroduced, leads, paragraphs } = page.metadata
  const own = headingOf(page)
  const isAbove = isIntroduced && own !== undefined && headings.indexOf(own) < headingsBeforeArticles
  return isAbove ? (leads.body ?? paragraphs.body) : undefined
}

/** The line below a heading that a label calls the page's summary, as manuals of modules have it. */
function ownSummary(page: PreviewedPage): string | undefined {
  const own = headingOf(page)?.text
  // Menus have the name of the page above it, too.
  const { below = '' } = page.metadata.headings.findLast(({ text }) => text === own) ?? {}
  const lines = below.split('\n').flatMap((line) => nonEmptyText(line) ?? [])
  const label = lines.findIndex((line) => summaryLabel.test(line))
  const summary = label < 0 ? undefined : lines[label + 1]
  const said = wordsOf(summary ?? '').filter((word) => word !== letters(own ?? ''))
  return summary !== undefined && summary.length <= summaryCharsMax && said.length >= saidMin
    ? summary
    : undefined
}

/** A column of a table may be called Description, but without a colon. */
const summaryLabel =
  /^(?:(?:module|library|application|command|file) summary\s?:?|(?:summary|description|purpose)\s?:)$/i
const summaryCharsMax = 200
/** With fewer words it says what the title does: `Functions for Pool class`. */
const saidMin = 4

/** The names of the parts of a page, in place of a text that is about one of them. */
function partsInstead(text: string, page: PreviewedPage): string | undefined {
  const { headings, sections } = page.metadata
  const own = headingOf(page)
  const section = headings.slice(0, sections.get(text)).findLast(({ level }) => level === 2)
  if (own === undefined || section === undefined || section.at <= own.at) return undefined
  const names = headings.flatMap((heading) => {
    const name = nameOfHeading(heading)
    return heading.level < 2 || heading.at <= own.at || name === undefined ? [] : [name]
  })
  const name = nameOfHeading(section) ?? ''
  const questions = names.filter((other) => other.endsWith('?'))
  if (questions.length > 1 && name.endsWith('?')) return questions.join(' ')
  const title = new Set(wordsOf(`${own.text} ${page.metadata.title ?? ''}`))
  const said = new Set(wordsOf(text))
  const isSaid = (word: string) => word.length > 3 && said.has(word)
  const isOfPart = wordsOf(name).some((word) => isSaid(word) && !title.has(word))
  if (!isOfPart || wordsOf(own.text).some(isSaid) || introduces.test(name) || introduces.test(text))
    return undefined
  const parts = names.filter((other) => !around.test(other))
  return parts.length > 1 ? parts.join(', ') : undefined
}

/** The name of a part that is about the whole, or the beginning of a text that says so. */
const introduces =
  /^(?:.*\b)?(?:introduction|overview|summary|about|abstract|synopsis|background|motivation|purpose|description)\b.{0,20}$|^what (?:is|are)\b|^this (?:page|document|chapter|guide|article|tutorial|module|package|manual|release|book)\b|^here (?:is|are)\b/i
/** Parts that say nothing of a page. */
const around =
  /^(?:see also|notes?|references|(?:table of )?contents|comments|footnotes|related.*|learn more|topics)$/i

const descriptions: readonly FieldRule<string>[] = described.map(({ source, find }) => ({
  source,
  find: (page) => descriptionOf(find(page)),
}))

/** A text of many pages, such as the name of a section, describes one only where nothing says more. */
export const descriptionRules: readonly FieldRule<string>[] = [isSpecific, isUnlabelled, isOwnText].flatMap(
  (test) => descriptions.map((rule) => passing(rule, test)),
)

export const sectionRules: readonly FieldRule<string>[] = [
  meta('article:section'),
  linkedData('articleSection'),
  meta('section'),
  itemprop('articlesection'),
  {
    source: 'link:up',
    find: ({ metadata, isSiteName }) => {
      const chapter = metadata.links.find(({ rel, href }) => rel.includes('up') && !frontPage.test(href))
      const title = nonEmptyText(chapter?.title)
      return title === undefined || isSiteName(title) ? undefined : title
    },
  },
]

const frontPage = /^(?:(?:\.{0,2}\/)*(?:index\.x?html?)?|https?:\/\/[^/]*\/?)$/

function filledIn(raw = ''): string | undefined {
  return isPlaceholder(raw) ? undefined : nonEmptyText(raw)
}

const descriptionCharsMax = 1_000

function descriptionOf(raw: string | undefined): string | undefined {
  const text = raw === undefined ? undefined : filledIn(withoutTags(raw))
  return text === undefined ? undefined : cutAtSentence(text, descriptionCharsMax)
}

/** A few words are a label. */
const specificCharsMin = 25

function isSpecific(text: string, page: PreviewedPage): boolean {
  return (
    !page.isSiteName(text) &&
    isUnlabelled(text, page) &&
    (text.length >= specificCharsMin ||
      text.split(' ').length >= 4 ||
      /[\u2e80-\u9fff\uac00-\ud7af]{8}/.test(text))
  )
}

function isUnlabelled(text: string, page: PreviewedPage): boolean {
  return !isListOfLabels(text) && isOwnText(text, page)
}

function isOwnText(text: string, page: PreviewedPage): boolean {
  return text.length > titleCharsMax || !titleTexts(page).has(letters(text))
}

const titleTexts = oncePerPage((page): ReadonlySet<string> => {
  const { title = '', headings } = page.metadata
  const declared = ['og:title', 'twitter:title'].flatMap((key) => metaContents(page, key, 'name', 1))
  const heading = headings.find(({ level }) => level === 1)?.text ?? ''
  const texts = [title, ...declared, heading].filter((text) => text.length <= titleCharsMax * 2)
  return new Set([...texts, ...titleParts(title).slice(0, 1)].map(letters))
})

const titleCharsMax = 500
/** Javadoc writes where a page is: `declaration: package: java.util, class: ArrayList`, or `serialized forms`. */
export function isListOfLabels(text: string): boolean {
  return /^(?:(?:\p{Ll}+: )+[^\s,]+(?:, \p{Ll}+: [^\s,]+)*|(?:(?:class|package|module) )?index|class tree|serialized forms|summary of constants|(?:deprecated|new|preview) elements)$/u.test(
    text,
  )
}

/** Returns whether the first words of a page are of the first thing that it lists. */
export function isListPage(page: PreviewedPage): boolean {
  const { url, metadata } = page
  const listsArticles = !metadata.isIntroduced && (listOfArticles.test(url) || isList(page))
  return listsArticles || listOfJavadoc.test(url)
}

/** The URL of a list of articles, or of one of its pages: `/tags/release/page/2/`, `/archives/2018/05/`. */
export const listOfArticles =
  /^[^?#]*\/(?:(?:tags?|categor(?:y|ies))\/[^/?#]+|archives?|page)(?:\/page)?(?:\/\d{1,4}){0,3}\/?(?:index\.html)?(?:[?#]|$)/

const listOfJavadoc =
  /\/(?:class-use\/[^/]+|package-use|all(?:classes|packages)-index|serialized-form|index-(?:all|\d+)|(?:deprecated|new|preview)-list|constant-values|(?:overview|package)-tree)\.html$/
