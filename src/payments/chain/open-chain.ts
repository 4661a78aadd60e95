import type { Clock } from '../../lib/clock.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { type Chain, createChain } from './chain.ts'
import { type CodeLookup, createCodeLookup } from './code-lookup.ts'
import { createFinality, type Finality } from './finality.ts'
import { createHeadWatch, type HeadWatch } from './head-watch.ts'
import { createRpc, type Rpc } from './rpc.ts'
import { createSettlementFinder, type SettlementFinder } from './settlement-finder.ts'

/** The RPC and everything that reads the chain through it. */
export interface ChainAccess {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly heads: HeadWatch
  readonly finality: Finality
  readonly finder: SettlementFinder
  readonly codes: CodeLookup
}

/** Undefined without an RPC. */
export function openChain(settings: PaymentSettings, clock: Clock): ChainAccess | undefined {
  if (settings.rpc.urls.length === 0) return undefined
  const rpc = createRpc({ ...settings.rpc, chainId: settings.chainId, clock })
  const chain = createChain(rpc)
  const finality = createFinality(chain, settings)
  return {
    rpc,
    chain,
    heads: createHeadWatch(chain, settings.pollMs),
    finality,
    finder: createSettlementFinder(chain, finality, settings),
    codes: createCodeLookup(chain),
  }
}
