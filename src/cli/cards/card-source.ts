import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import type { ParsedRequest } from '../../http/request-context.ts'
import type { QueryPair } from '../../lib/query-pairs.ts'
import type { PagePictures } from './page-pictures.ts'
import type { Pictures } from './pictures.ts'

export interface WantedCard {
  readonly pairs: readonly QueryPair[]
  readonly parsed: ParsedRequest
}

export interface CardSource {
  /** Returns the address of a card that is there already; undefined for one that has to be made. */
  find(card: WantedCard): Promise<string | undefined>
  ensure(card: WantedCard): Promise<string>
}

export interface OpenSource extends CardSource {
  /** Messages of a card's layout; absent where cards are not drawn. */
  layoutWarnings?(card: WantedCard): Promise<readonly string[]>
  /** Parts that cards lack because they cannot be drawn. */
  faults(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The way that the cards of a run are made: drawn here, or signed URLs of a server. */
export interface CardOrigin {
  readonly brands: CardBrands
  /** The brand of all cards, as their parameter names it. */
  readonly brand: string | undefined
  /** Puts pictures of pages and faces of authors into cards; undefined where a server draws. */
  readonly pagePictures: PagePictures | undefined
  /** The addresses of a server; undefined where cards are drawn. */
  readonly signed: CardSource | undefined
  /** @param address that of the folder of pictures, with a slash at its end */
  openSource(pictures: Pictures, address: string): OpenSource
  close(): void | Promise<void>
}
