import type { ParsedRequest, Producer, RenderedAsset } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'

/** Makes the product of a call. Its head is the one that HEAD was told, so the two cannot differ. */
export function makeProduct(
  producer: Producer,
  { query }: Pick<ParsedRequest, 'query'>,
  context: RequestContext,
): RenderedAsset | Promise<RenderedAsset> {
  const { contentType, filename } = producer.describe(query)
  const making = producer.produce(query, context)
  return making instanceof Promise
    ? making.then((body) => ({ body, contentType, filename }))
    : { body: making, contentType, filename }
}
