/** The contents of a page's markup, before any rule interprets them. Texts and URLs are as the page has them. */
export class PageMetadata {
  base: string | undefined
  lang: string | undefined
  dir: string | undefined
  title: string | undefined
  refresh: string | undefined
  /** The one in the head that a browser without scripts obeys as well as any other. */
  headRefresh: string | undefined
  readonly headings: Heading[] = []
  /** The first readable paragraph of each part of the page. */
  readonly paragraphs: Partial<Record<Part, string | undefined>> = {}
  /** The first paragraph of the only definition. */
  definition: string | undefined
  /** The paragraphs after the first, as far as a page may need one where it shares the first with others. */
  readonly laterParagraphs: string[] = []
  /** The first sentence that announces what is behind it, read where its section has no other; empty if it says nothing without that. */
  leadIn: LeadIn | undefined
  /** The number of headings in front of a paragraph or lead, by its text. */
  readonly sections = new Map<string, number>()
  /** One of them stands before the articles that the page lists. */
  isIntroduced = false
  /** The table that is being read has headings: its cells are data. */
  isTabular = false
  /** The first sentence below a heading that no element marks as a paragraph, where it stands before those. */
  readonly leads: Partial<Record<Part, string>> = {}
  readonly metas: Meta[] = []
  readonly links: Link[] = []
  readonly linkedData: string[] = []
  readonly images: BodyImage[] = []
  readonly media: BodyMedia[] = []
  readonly logoTexts: string[] = []
  /** The flags around a picture that stands in for another, while no other has followed. */
  placeholderAround: number | undefined
  readonly bylines: Byline[] = []
  readonly dates: DateMark[] = []
  /** Words by their part of the page, without menus, comments and code; of scripts without spaces their worth in words. */
  readonly words: Record<Part, number> = { article: 0, body: 0, margin: 0 }
  readonly itemTypes: string[] = []
  code: Code | undefined
  /** The last programming language that markup named, and the number of that element. */
  codeLanguage = { name: '', at: 0 }
  readonly charsOf = new Map<readonly unknown[], number>()
  elements = 0
  /** The number of definitions of terms that are in no other: a single one is what the page is about, several are a list. */
  definitions = 0
  /** The number of `<article>` elements: a single one is what the page is about, several are a list. */
  articles = 0
  /** The number of headings that stand before the first of them. */
  headingsBeforeArticles = 0
}

interface LeadIn {
  readonly text: string
  readonly section: number
  readonly part: Part
  /** The list of short lines that it announces. */
  readonly items: string[]
  isOver: boolean
}

type FirstTexts = Pick<PageMetadata, 'leads' | 'paragraphs' | 'leadIn'>

export function firstParagraph({ leads, paragraphs, leadIn }: FirstTexts) {
  return leads.article ?? paragraphs.article ?? leads.body ?? paragraphs.body ?? announced(leadIn)
}

/** `The following are known: a, b, c.` */
export function announced({ text = '', items = [] }: Partial<LeadIn> = {}): string | undefined {
  const isShort = items.length > 0 && items.every((item) => item.length <= itemCharsMax)
  return (isShort ? text.replace(/\.$/, `: ${items.join(', ')}.`) : text) || undefined
}

const itemCharsMax = 60

export function firstParagraphs({ laterParagraphs, definition, ...texts }: PageMetadata): readonly string[] {
  const { leads, paragraphs, leadIn } = texts
  const { article, body, margin } = paragraphs
  const all = [
    leads.article,
    article,
    leads.body,
    body,
    ...laterParagraphs,
    announced(leadIn),
    margin,
    definition,
  ]
  return all.flatMap((text) => text || [])
}

export type Part = 'article' | 'body' | 'margin'

export interface Heading {
  readonly level: 1 | 2
  readonly text: string
  /** Number of the element, counted from the beginning of the page. */
  readonly at: number
  /** The text that follows, one line for each block. */
  below: string
}

export interface Code {
  readonly text: string
  readonly language: string | undefined
  /** It stands before the first paragraph. */
  readonly isFirst: boolean
}

export interface Byline {
  readonly kind: 'itemprop' | 'rel' | 'class' | 'href' | 'credit'
  readonly text: string
  /** The parts of the text that are names alone: microdata names, else links. */
  readonly names: readonly string[]
  readonly at: number
  readonly part: Part
}

export interface DateMark {
  /** The markup that gives the date; `dated` are elements whose class only speaks of a date. */
  readonly kind: 'pubdate' | 'time' | 'published' | 'dated' | 'updated'
  /** The text in front of it in its line, or a short line before. */
  readonly label: string
  readonly values: readonly string[]
  readonly at: number
  readonly part: Part
}

export interface Meta {
  readonly key: string
  readonly content: string
  readonly kind: 'name' | 'itemprop' | 'http-equiv'
}

export interface Link {
  readonly rel: readonly string[]
  readonly href: string
  readonly type: string
  readonly sizes: string | undefined
  readonly title: string | undefined
  readonly hreflang: string | undefined
}

export interface BodyImage {
  readonly src: string
  readonly width: string | undefined
  readonly height: string | undefined
  readonly alt: string | undefined
  readonly part: Part
}

export interface BodyMedia {
  readonly kind: 'video' | 'audio'
  readonly src: string | undefined
  readonly type: string | undefined
  readonly poster: string | undefined
}

/** Each list has limits of its own, so that what a page has too much of costs nothing else its place. */
export function keep<Item>(
  { charsOf }: Pick<PageMetadata, 'charsOf'>,
  list: Item[],
  item: Item,
  countMax: number,
  ...texts: readonly (string | undefined)[]
): void {
  if (list.length >= countMax) return
  let chars = charsOf.get(list) ?? 0
  for (const text of texts) chars += text?.length ?? 0
  if (chars > 131_072) return
  charsOf.set(list, chars)
  list.push(item)
}
