import { addressBlock } from '../lib/client-addresses.ts'
import type { Waiter } from '../lib/waiter.ts'
import type { ProduceContext } from './kit/producer.ts'

/** The caller of a drawing, in queues. A class, because the address is found when it is read, which most drawings need not. */
export class DrawingClient {
  readonly #context: ProduceContext

  constructor(context: ProduceContext) {
    this.#context = context
  }

  get name(): string {
    return addressBlock(this.#context.clientAddress)
  }

  get waiter(): Waiter | undefined {
    return this.#context.waiter
  }
}
