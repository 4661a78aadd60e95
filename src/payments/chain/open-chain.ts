import type { Clock } from '../../lib/clock.ts'
import type { PaymentSettings } from '../settings.ts'
import { type Chain, createChain } from './chain.ts'
import { type CodeLookup, createCodeLookup } from './code-lookup.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { createSettlementFinder, type SettlementFinder } from './find-settlement.ts'
import { createRpc, type Rpc } from './rpc.ts'
import { type HeadWatch, watchHead } from './watch-head.ts'

/** The chain and what looks at it. */
export interface OpenedChain {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly heads: HeadWatch
  readonly evidence: Evidence
  readonly finder: SettlementFinder
  readonly codes: CodeLookup
}

/** Undefined without an RPC. */
export function openChain(settings: PaymentSettings, clock: Clock): OpenedChain | undefined {
  if (settings.rpc.urls.length === 0) return undefined
  const rpc = createRpc({ ...settings.rpc, chainId: settings.chainId, clock })
  const chain = createChain(rpc)
  const evidence = createEvidence(chain, settings)
  return {
    rpc,
    chain,
    heads: watchHead(chain, settings.pollMs),
    evidence,
    finder: createSettlementFinder(chain, evidence, settings),
    codes: createCodeLookup(chain),
  }
}
