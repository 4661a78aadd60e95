import { readHex } from '../chain/hex-values.ts'
import type { Rpc } from '../chain/rpc.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import type { Hex } from '../payment-settings.ts'

/**
 * Broadcasts a signed transaction. Returns `taken` if another transaction used the nonce or waits with it. Throws
 * `RpcRejected` where the chain refuses it, `RpcUnavailable` where no RPC answers.
 */
export async function broadcast(rpc: Rpc, rawTransaction: Hex): Promise<'sent' | 'taken'> {
  try {
    await rpc.first('eth_sendRawTransaction', [rawTransaction], readHex)
    return 'sent'
  } catch (error) {
    if (!(error instanceof RpcRejected)) throw error
    if (/already known|already imported|known transaction/i.test(error.message)) return 'sent'
    if (/nonce too low|underpriced/i.test(error.message)) return 'taken'
    throw error
  }
}
