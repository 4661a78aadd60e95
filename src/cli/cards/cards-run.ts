import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import type { ParsedRequest } from '../../http/request-context.ts'
import type { QueryPair } from '../../lib/query-pairs.ts'
import type { PixelFormatName } from '../../raster/picture-formats.ts'
import type { PagePictures } from './page-pictures.ts'
import type { Pictures } from './pictures.ts'

export interface CardsRun {
  readonly folder: string
  readonly out: string
  readonly cache: string
  readonly base: string | undefined
  readonly format: PixelFormatName
  readonly look: CardLook
  readonly origin: CardOrigin
  readonly atOnce: number
  readonly isDry: boolean
  /** With `isDry`: the layouts of cards are read for what they warn of. */
  readonly strict?: true
  /** Redirects, pages that no search engine may keep and pages of errors get a card too. */
  readonly all?: true
  /** Cards take the place of pictures that pages have of their own. */
  readonly replace?: true
  /** Pages keep a picture that most of them share. */
  readonly keepDefault?: true
  /** Pictures that no page names go at once. */
  readonly prune?: true
  readonly sheet?: string
  readonly stop: AbortSignal
  readonly nowMs: number
  readonly warn: (line: string) => void
}

export interface CardLook {
  readonly parameters: ReadonlyMap<string, string>
  /** Themes by the beginning of the page's path, the longest first: each a name, or the brand that a file makes. */
  readonly themes: readonly { readonly section: string; readonly parameter: QueryPair }[]
}

export interface CardOrigin {
  readonly brands: CardBrands
  readonly brand: string | undefined
  /** Returns the name of that brand in the theme of a file; absent where a server draws. */
  wear?(file: string): string
  /** Puts pictures of pages and faces of authors into cards; undefined where a server draws. */
  readonly pagePictures: PagePictures | undefined
  readonly signed: CardSource | undefined
  /** @param url that of the folder of pictures, with a slash at its end */
  openSource(pictures: Pictures, url: string): OpenSource
  close(): void | Promise<void>
}

export interface WantedCard {
  readonly pairs: readonly QueryPair[]
  readonly parsed: ParsedRequest
}

export interface CardSource {
  find(card: WantedCard): Promise<string | undefined>
  ensure(card: WantedCard): Promise<string>
}

export interface OpenSource extends CardSource {
  layoutWarnings?(card: WantedCard): Promise<readonly string[]>
  faults(): Promise<readonly string[]>
  close(): Promise<void>
}
