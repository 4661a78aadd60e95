import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { evm, Mppx } from 'mppx/client'
import { formatMicros } from '../../src/lib/human-format.ts'
import { startServer } from '../support/server.ts'
import { otherPayer, payer, settlerEnv, shopkeeper, startAnvil } from './support/anvil.ts'
import { payWith, proofHeader } from './support/pay.ts'
import { signAuthorization, v1Header } from './support/sign.ts'
import { walletEnv } from './support/wallet-env.ts'

/**
 * `bun run demo:pay`: a chain, a dollar token and the real server on this machine; then one payment in each way.
 * No wallet, no money, no network.
 */
const chain = await startAnvil({ blockSeconds: 1 })
try {
  const server = await startServer({ env: { ...walletEnv(chain.url), ...settlerEnv, X402_POLL_MS: '100' } })
  say(`A chain of blocks every second at ${chain.url}, the server at ${server.url}.`)
  say(`The shop is ${shopkeeper.address}, the customer ${payer.address}.`)
  try {
    await demonstrate(server.url)
  } finally {
    await server.stop()
  }
} finally {
  await chain.stop()
}

async function demonstrate(origin: string): Promise<void> {
  function card(title: string) {
    return `${origin}/api/og?title=${title}`
  }

  const asked = await fetch(card('Transfer'))
  const { transfer } = (await asked.json()) as {
    transfer: { amount: string; amountDecimal: string; payTo: `0x${string}` }
  }
  say(`\nWithout credentials: ${asked.status}. It costs ${transfer.amountDecimal} USDC.`)

  const txHash = await chain.transfer(transfer.payTo, 3n * BigInt(transfer.amount))
  tell('A transfer of three prices, then its hash in X-Payment', await payWith(card('Transfer'), txHash))
  tell('The same request again: the same bytes, free', await payWith(card('Transfer'), txHash))
  tell('The same hash for another card', await payWith(card('Stolen'), txHash))
  const url = card('Proof')
  const proof = { 'x-payment-proof': await proofHeader({ url, txHash, signer: payer }) }
  tell('What is left, with the payer’s proof', await payWith(url, txHash, proof))

  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:84532', client: new ExactEvmScheme(payer) }],
    spendControls: false,
  })
  tell('x402 version 2, by @x402/fetch', await wrapFetchWithPayment(fetch, client)(card('Version-2')))
  const headers = v1Header(await signAuthorization())
  tell('x402 version 1, X-PAYMENT', await fetch(card('Version-1'), { headers }))
  const methods = [evm.charge({ account: otherPayer, authorization: { name: 'USDC', version: '2' } })]
  tell('MPP, by mppx', await Mppx.create({ polyfill: false, methods }).fetch(card('MPP')))

  const { id } = (await (await fetch(`${origin}/api/key`)).json()) as { id: string }
  const upgrade = await wrapFetchWithPayment(fetch, client)(`${origin}/api/upgrade?key=${id}`, {
    method: 'POST',
  })
  tell(`A key without a quota for 10.00 USDC`, upgrade)

  say(
    `\nThe shop now holds ${formatMicros(Number(await chain.balanceOf(shopkeeper.address)) - 1_000_000_000)} USDC more than before.`,
  )
}

function tell(what: string, { status, headers }: Response): void {
  const receipt = headers.get('payment-response') ?? headers.get('x-payment-response')
  const transaction = receipt === null ? '' : JSON.parse(atob(receipt)).transaction
  const left = headers.get('x-payment-credit')
  say(`${status}  ${what}${left === null ? '' : `; ${left} USDC of credit left`}`)
  if (transaction) say(`     settled by ${transaction}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
