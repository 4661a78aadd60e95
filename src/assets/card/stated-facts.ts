import { saidOnly } from '../../lib/json.ts'
import contentsNames from '../preview/data/contents-names.json' with { type: 'json' }
import { isListOfLabels, isListPage, listOfArticles } from '../preview/fields/texts.ts'
import { firstParagraphs } from '../preview/page-metadata.ts'
import { anchorAtEnd, cutAtSentence, nonEmptyText, withoutInlineMarkup } from '../preview/page-text.ts'
import { letters } from '../preview/site-name.ts'
import { type ReadPage, templateFacts } from './template-facts.ts'

export type StatedFacts = ReturnType<typeof statedFacts>

export const nothingStated: StatedFacts = {
  authors: [],
  paragraphs: [],
  about: { fits: [], words: 0 },
  words: {},
}

/** Reads by the rules of previews what a page says of itself. A front page has the name of its site as its title. */
export function statedFacts(read: ReadPage, isFront: boolean) {
  const { fields, metadata } = read
  // The name of a site is the title of its front page, whatever stands above the text there.
  const isHeading = isFront && fields.sources['title'] === 'h1'
  const title = (isHeading ? nonEmptyText(metadata.title) : undefined) ?? fields.title
  const isParagraph = fields.sources['description'] === 'p'
  const paragraphs = isListPage(read.page) ? [] : firstParagraphs(metadata)
  const isDoubtful = isFront || metadata.articles > 1 || listOfArticles.test(read.page.url)
  // The text of a page that lists others has their authors and dates.
  function says(field: string): boolean {
    return !isDoubtful || declared.test(fields.sources[field] ?? '')
  }
  return {
    authors: says('author') ? fields.authors : [],
    about: templateFacts(read),
    // Beginnings of the first paragraphs beside the description.
    paragraphs: paragraphs.slice(isParagraph ? 1 : 0).map((text) => cutAtSentence(text, paragraphCharsMax)),
    // Its own words for its card: contents of `mintmark:…` by what follows the colon.
    words: Object.fromEntries(
      metadata.metas
        .filter(({ key }) => key.startsWith(wordStart) && key !== wordStart)
        .map(({ key, content }) => [key.slice(wordStart.length), content] as const),
    ),
    ...saidOnly({
      title: withoutInlineMarkup(title ?? ''),
      heading: headingOf(title, metadata),
      siteName: fields.sources['site_name'] === 'host' ? null : fields.site_name,
      description: isParagraph
        ? fields.description
        : described(fields.description ?? '', paragraphs, metadata),
      // The page declares no description.
      isParagraph: isParagraph || null,
      published: says('published') ? fields.published : undefined,
      section: fields.section,
      lang: fields.lang,
      themeColor: fields.theme_color,
    }),
  }
}

/** Sources of a field that are about the page as a whole. */
const declared = /^(?:meta|og|jsonld|twitter):|^article:(?!time$)|^url$/

/** A declared description, unless a generator made it of the beginning of the page: then the page's own words. */
function described(
  description: string,
  paragraphs: readonly string[],
  { headings }: ReadPage['metadata'],
): string | undefined {
  if (description === '' || isListOfLabels(description)) return undefined
  const texts = headings.flatMap(({ text }) => nonEmptyText(text.replace(anchorAtEnd, '')) ?? [])
  const head = description.replace(/\s?(?:\.{3}|…|\[(?:\.{3}|…)\])$/, '')
  const isCut = head !== description || !/[.!?。！？]["”’)]?$/.test(description)
  const whole = isCut
    ? paragraphs.find((text) => text.length > head.length && text.startsWith(head))
    : undefined
  const isLabel =
    isCut && description.length < 40 && texts.some((text) => letters(text) === letters(description))
  const isGlued = texts.some(
    (text) =>
      text.length > 3 &&
      description.split(text).some((rest, index) => index > 0 && /^[\p{L}\p{N}]/u.test(rest)),
  )
  if (isLabel) return paragraphs[0]
  return whole ?? (isGlued || contentsIn.test(description) ? paragraphs[0] : undefined) ?? description
}

const headingCharsMax = 200

/** The page's only heading of the first level, or the first one if that is its title. */
function headingOf(title: string | null, { headings }: ReadPage['metadata']): string | undefined {
  const [first, second] = headings.filter(({ level }) => level === 1)
  const text = nonEmptyText((first?.text ?? '').replace(anchorAtEnd, ''))
  if (second !== undefined && text !== title) return undefined
  return text === undefined || text.length > headingCharsMax ? undefined : text
}

/** The list of a page's headings in what a generator made of all of its text. */
const contentsIn = new RegExp(`(?:^|[.!?]\\s)(?:${contentsNames.join('|')})`, 'i')

/** A card shows no more of it, and a site may have a hundred thousand pages. */
const paragraphCharsMax = 300

export const wordStart = 'mintmark:'
