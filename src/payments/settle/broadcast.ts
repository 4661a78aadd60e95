import type { Rpc } from '../chain/rpc.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import { readHex } from '../chain/rpc-values.ts'
import type { Hex } from '../payment-settings.ts'

/** `taken`: another transaction used the nonce or waits with it. */
export type BroadcastOutcome = 'sent' | 'taken'
export type Broadcast = (rawTransaction: Hex) => Promise<BroadcastOutcome>

/** Broadcasts signed transactions. Throws `RpcRejected` where the chain refuses one, `RpcUnavailable` where no RPC answers. */
export function createBroadcast(rpc: Pick<Rpc, 'first'>): Broadcast {
  return async (raw) => {
    try {
      await rpc.first('eth_sendRawTransaction', [raw], readHex)
      return 'sent'
    } catch (error) {
      const found = error instanceof RpcRejected && outcomes.find(([pattern]) => pattern.test(error.message))
      if (found) return found[1]
      throw error
    }
  }
}

const outcomes: readonly (readonly [RegExp, BroadcastOutcome])[] = [
  [/already known|already imported|known transaction/i, 'sent'],
  [/nonce too low|underpriced/i, 'taken'],
]
