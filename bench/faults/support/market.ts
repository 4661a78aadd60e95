import { keyOf, settler, shopkeeper, startAnvil } from '../../../test/payments/support/anvil.ts'
import { startRpcProxy } from '../../../test/payments/support/rpc-proxy.ts'
import { walletEnv } from '../../../test/payments/support/wallet-env.ts'
import type { FaultContext } from '../context.ts'
import { type Answer, ask } from './ask.ts'
import { becomesTrue } from './becomes-true.ts'

/** The default price of a card, in the token's units. */
export const cardPrice = 10_000n

/** A chain of its own with the token, an RPC endpoint in front of it that lies when told to, and what a server needs. */
export async function openMarket(context: FaultContext) {
  const chain = await startAnvil()
  context.defer(() => chain.stop())
  const proxy = startRpcProxy(chain.url)
  context.defer(() => proxy.stop())
  const atStart = await chain.balanceOf(shopkeeper.address)
  return {
    chain,
    proxy,
    env: {
      LOG_LEVEL: 'error',
      X402_SETTLER_KEY: keyOf(settler),
      X402_POLL_MS: '50',
      X402_WAIT_MS: '500',
      X402_SETTLE_TIMEOUT_MS: '3000',
      X402_CONFIRMATIONS_HIGH: '1',
      ...walletEnv(proxy.url),
    },
    /** Tokens that the shop received since the market opened. */
    moved: async () => (await chain.balanceOf(shopkeeper.address)) - atStart,
  }
}

export type Market = Awaited<ReturnType<typeof openMarket>>

/** Status, and the word that says why a call was not answered. */
export function verdictOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer'
  if (answer.status === 200) return '200'
  try {
    const { error, code } = JSON.parse(answer.text)
    return `${answer.status} ${error ?? code}`
  } catch {
    return String(answer.status)
  }
}

/** Asks again while nobody knows yet, as a client does that is told when to come back. */
export async function askUntilKnown(
  context: FaultContext,
  url: string,
  headers: Readonly<Record<string, string>>,
  { timeoutMs = 25_000, method = 'GET' } = {},
): Promise<string> {
  let verdict = ''
  await becomesTrue(async () => {
    verdict = verdictOf(await ask(context, url, { headers, method }))
    return !verdict.startsWith('503') && verdict !== 'no answer'
  }, timeoutMs)
  return verdict
}

/** The shop never delivers more than it was paid for. */
export async function checkCovered(context: FaultContext, market: Market, delivered: number): Promise<void> {
  const paidFor = Number((await market.moved()) / cardPrice)
  context.mistake('delivered and not paid for', delivered - paidFor)
}
