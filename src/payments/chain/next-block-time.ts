import { readQuantity } from './hex-values.ts'
import type { Rpc } from './rpc.ts'

/** The time, in ms, that the next block has at least: by the chain's clock, which need not be ours. */
export async function nextBlockTimeMs(rpc: Rpc): Promise<number> {
  const [latest, pending] = await Promise.all([
    rpc.first('eth_getBlockByNumber', ['latest', false], readTimeMs),
    // Not every node has a pending block.
    rpc.first('eth_getBlockByNumber', ['pending', false], readTimeMs).catch(() => 0),
  ])
  return Math.max(latest, pending)
}

function readTimeMs(answer: unknown): number {
  const { timestamp } = (answer ?? {}) as { readonly timestamp?: unknown }
  return readQuantity(timestamp) * 1000
}
