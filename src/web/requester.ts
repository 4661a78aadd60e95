import type { Waiter } from '../lib/waiter.ts'

export interface Requester {
  /** Every name under which slots are counted for it, such as its address and its key. Empty for the server itself. */
  readonly names: readonly string[]
  /** Nothing stands behind the request, or a key, or a payment. The operator counts as somebody who pays. */
  readonly kind: 'unpaid' | 'key' | 'paid'
  /** Tells requesters of one kind apart: the client's address where nothing stands behind it, else the key or site. */
  readonly id: string
  /** Nobody waits for the answer, so it gives way to all others. */
  readonly isBackground?: boolean
  readonly waiter?: Waiter | undefined
}

export const operatorRequester: Requester = { names: [], kind: 'paid', id: 'operator' }

export function inBackground(requester: Requester): Requester {
  return { ...requester, isBackground: true, waiter: undefined }
}
