import type { ParsedRequest } from '../../http/parsed-request.ts'
import type { QueryPair } from '../../lib/canonical-query.ts'

/** A card that a page asks for. */
export interface WantedCard {
  readonly pairs: readonly QueryPair[]
  readonly parsed: ParsedRequest
}

/** Where the pictures of pages come from. */
export interface CardSource {
  /** Returns the address of a card that is there already; undefined for one that has to be made. */
  find(card: WantedCard): Promise<string | undefined>
  /** Returns the address of a card, which is there then. */
  ensure(card: WantedCard): Promise<string>
}
