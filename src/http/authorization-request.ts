import type { AuthorizationRequest } from '../access/authorization.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { hasParameter } from './query.ts'
import type { RequestContext } from './request-context.ts'
import { targetOf } from './target.ts'

/**
 * Parts of a request that are known beside its context: the asset, the credentials in its query, and which keys may
 * have it.
 */
type Known = Partial<Pick<ParsedRequest, 'asset' | 'credentials' | 'resolved'>>

/** Returns what the authorizer and payments need to know about a request, given its price and what it is for. */
export function authorizationRequest(
  context: RequestContext,
  priceMicros: number,
  endpoint: string,
  known: Known = {},
  isRevalidation = false,
): AuthorizationRequest {
  return new RequestToAuthorize(context, priceMicros, endpoint, known, isRevalidation)
}

/** A class, because an object with getters of its own costs a function for each of them and each request. */
class RequestToAuthorize implements AuthorizationRequest {
  readonly #context: RequestContext
  readonly #known: Known
  readonly priceMicros: number
  readonly endpoint: string
  readonly isRevalidation: boolean

  constructor(
    context: RequestContext,
    priceMicros: number,
    endpoint: string,
    known: Known,
    isRevalidation: boolean,
  ) {
    this.#context = context
    this.#known = known
    this.priceMicros = priceMicros
    this.endpoint = endpoint
    this.isRevalidation = isRevalidation
  }

  get method() {
    return this.#context.method
  }
  get path() {
    return this.#context.path
  }
  get rawQuery() {
    return this.#context.rawQuery
  }
  get credentials() {
    return this.#known.credentials
  }
  get onlyKeyIds() {
    return this.#known.resolved?.keyIds
  }
  get site() {
    return this.#known.resolved?.site
  }
  get unlessAnswered() {
    return this.#known.resolved?.unlessAnswered
  }
  get headers() {
    return this.#context.request.headers
  }
  get baseUrl() {
    return this.#context.baseUrl
  }
  get url() {
    return this.#context.baseUrl + targetOf(this.#context)
  }
  get clientAddress() {
    return this.#context.clientAddress
  }
  get waiter() {
    return this.#context.waiter
  }
  isParameter(name: string): boolean {
    const { asset } = this.#known
    return asset !== undefined && hasParameter(asset.query, name)
  }
}
