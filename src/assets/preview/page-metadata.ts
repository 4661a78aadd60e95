/** What was found in a page's markup, before any rule decides what it means. Texts and URLs are still as the page wrote them. */
export interface PageMetadata {
  /** The first `<base href>`. */
  base: string | null
  lang: string | null
  dir: string | null
  title: string | null
  heading: string | null
  /** The first readable paragraph. */
  paragraph: string | null
  /** `<meta http-equiv="refresh">` */
  refresh: string | null
  readonly metas: Meta[]
  readonly links: Link[]
  /** Contents of JSON-LD scripts. */
  readonly linkedData: string[]
  /** Targets of `<a href>` that a crawler may follow. */
  readonly anchors: string[]
  readonly images: BodyImage[]
  readonly media: BodyMedia[]
  /** Texts of elements that name an author, the surest kind first. */
  readonly bylines: { readonly kind: 'itemprop' | 'rel' | 'class'; readonly text: string }[]
  readonly times: { readonly place: 'pubdate' | 'article'; readonly value: string }[]
  /** How many more characters of attribute values are kept. */
  charsLeft: number
  /** How many `<article>` elements there are: one is what the page is about, more are a list. */
  articles: number
}

/** One key of a meta element: lower case, whatever attribute it stood in. */
export interface Meta {
  readonly key: string
  readonly content: string
  readonly kind: 'name' | 'itemprop' | 'http-equiv'
}

export interface Link {
  /** Lower-case words of `rel`. */
  readonly rel: readonly string[]
  readonly href: string
  readonly type: string
  readonly sizes: string | null
  readonly title: string | null
  readonly hreflang: string | null
}

export interface BodyImage {
  readonly src: string
  readonly width: string | null
  readonly height: string | null
  readonly alt: string | null
}

export interface BodyMedia {
  readonly kind: 'video' | 'audio'
  readonly src: string | null
  readonly type: string | null
  readonly poster: string | null
}

export function emptyMetadata(): PageMetadata {
  return {
    base: null,
    lang: null,
    dir: null,
    title: null,
    heading: null,
    paragraph: null,
    refresh: null,
    metas: [],
    links: [],
    linkedData: [],
    anchors: [],
    images: [],
    media: [],
    bylines: [],
    times: [],
    charsLeft: charsMax,
    articles: 0,
  }
}

/** Of all attribute values that are kept of one page: some hundred times what honest pages have. */
const charsMax = 262_144
