import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

/** Runs in a page of another site: asks, is told the price, signs, and shows the card. */
async function payFromPage(url: string, key: `0x${string}`): Promise<object> {
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(privateKeyToAccount(key)))
  const response = await wrapFetchWithPayment(fetch, client)(url)
  const text = await response.text()
  return {
    status: response.status,
    isSvg: text.startsWith('<svg'),
    receipt: response.headers.get('payment-response'),
  }
}

Object.assign(globalThis, { payFromPage })
