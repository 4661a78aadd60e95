/** A page that an llms.txt may list, with everything that is known of it. */
export interface LlmsPage {
  readonly url: string
  /** Undefined, like heading, description and language, if the page was not read. */
  readonly title?: string | undefined
  readonly heading?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | undefined
  /** The name that a sitemap gives it. */
  readonly listedTitle?: string | undefined
  /** Texts of links to it, the most frequent first. */
  readonly linkTexts?: readonly string[] | undefined
  /** How many pages link to it. */
  readonly linkCount?: number | undefined
  /** Place among all links, in the order in which they were found. */
  readonly linkOrder?: number | undefined
  readonly lastmod?: string | undefined
}
