/** What the markup of a page contains, before any rule interprets it. Texts and URLs are as the page has them. */
export interface PageMetadata {
  /** The first `<base href>`. */
  base: string | undefined
  lang: string | undefined
  dir: string | undefined
  title: string | undefined
  heading: string | undefined
  /** The first readable paragraph. */
  paragraph: string | undefined
  /** `<meta http-equiv="refresh">` */
  refresh: string | undefined
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
  /** How many `<article>` elements there are: a single one is what the page is about, several are a list. */
  articles: number
}

/** A meta element or microdata property; the key in lower case. */
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
  readonly sizes: string | undefined
  readonly title: string | undefined
  readonly hreflang: string | undefined
}

export interface BodyImage {
  readonly src: string
  readonly width: string | undefined
  readonly height: string | undefined
  readonly alt: string | undefined
}

export interface BodyMedia {
  readonly kind: 'video' | 'audio'
  readonly src: string | undefined
  readonly type: string | undefined
  readonly poster: string | undefined
}

export function emptyMetadata(): PageMetadata {
  return {
    base: undefined,
    lang: undefined,
    dir: undefined,
    title: undefined,
    heading: undefined,
    paragraph: undefined,
    refresh: undefined,
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

/** Of all attribute values kept of one page: some hundred times what real pages have. */
const charsMax = 262_144
