import type { Clock } from '../../lib/clock.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { createChain } from './chain.ts'
import { createCodeLookup } from './code-lookup.ts'
import { createFinality } from './finality.ts'
import { createHeadWatch } from './head-watch.ts'
import { createRpc } from './rpc.ts'
import { createSettlementFinder } from './settlement-finder.ts'

/** The RPC and everything that reads the chain through it. Undefined without an RPC. */
export function openChain(settings: PaymentSettings, clock: Clock) {
  if (settings.rpc.urls.length === 0) return undefined
  const rpc = createRpc(settings, clock)
  const chain = createChain(rpc)
  const finality = createFinality(chain, settings)
  const heads = createHeadWatch(chain, settings.pollMs)
  const finder = createSettlementFinder(chain, finality, settings)
  return { rpc, chain, heads, finality, finder, codes: createCodeLookup(chain) }
}

export type ChainAccess = NonNullable<ReturnType<typeof openChain>>
