import type { Call, Producer, Product } from './calls.ts'
import type { Exchange } from './exchange.ts'

/** Makes the product of a call. Its head is the one that HEAD was told, so the two cannot differ. */
export function makeProduct(
  producer: Producer,
  { query }: Pick<Call, 'query'>,
  exchange: Exchange,
): Product | Promise<Product> {
  const { contentType, filename } = producer.describe(query)
  const making = producer.produce(query, exchange)
  return making instanceof Promise
    ? making.then((body) => ({ body, contentType, filename }))
    : { body: making, contentType, filename }
}
