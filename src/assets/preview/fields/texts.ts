import { isList } from '../nearest-to-heading.ts'
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
    find: (page) => (isListPage(page) ? undefined : firstParagraphs(page.metadata)[0]),
  },
]

const descriptions: readonly FieldRule<string>[] = described.map(({ source, find }) => ({
  source,
  find: (page) => descriptionOf(find(page)),
}))

/** A text of many pages, such as the name of a section, describes one only where nothing says more. */
export const descriptionRules: readonly FieldRule<string>[] = [isSpecific, isOwnText].flatMap((test) =>
  descriptions.map((rule) => passing(rule, test)),
)

export const sectionRules: readonly FieldRule<string>[] = [
  meta('article:section'),
  linkedData('articleSection'),
  meta('section'),
  itemprop('articlesection'),
]

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
  if (page.isSiteName(text) || isListOfLabels(text)) return false
  return (
    isOwnText(text, page) &&
    (text.length >= specificCharsMin ||
      text.split(' ').length >= 4 ||
      /[\u2e80-\u9fff\uac00-\ud7af]{8}/.test(text))
  )
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
