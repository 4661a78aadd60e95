import type { Producer } from '../assets/producer.ts'
import type { ParsedRequest, RenderedAsset } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

/** Renders the asset. It has the head that HEAD gets, so the two cannot differ. */
export function renderAsset(
  producer: Producer,
  { query }: Pick<ParsedRequest, 'query'>,
  context: RequestContext,
): RenderedAsset | Promise<RenderedAsset> {
  const head = producer.describe(query)
  const body = producer.produce(query, context)
  return body instanceof Promise ? body.then((bytes) => ({ ...head, body: bytes })) : { ...head, body }
}
