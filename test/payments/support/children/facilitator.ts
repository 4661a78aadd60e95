import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { createWalletClient, defineChain, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A facilitator as anybody would run one: the reference implementation behind /verify and /settle. */
const [rpcUrl = '', key = ''] = process.argv.slice(2)
const account = privateKeyToAccount(key as Hex)
const chain = defineChain({
  id: 84532,
  name: 'test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
})
const client = createWalletClient({ account, chain, transport: http(rpcUrl), pollingInterval: 50 }).extend(
  publicActions,
)
const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never)
const facilitator = new x402Facilitator()
  .register('eip155:84532', new ExactEvmScheme(signer))
  .registerV1('base-sepolia' as never, new ExactEvmSchemeV1(signer))

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    if (request.method === 'GET') return Response.json(facilitator.getSupported())
    const { paymentPayload, paymentRequirements } = (await request.json()) as never
    const path = new URL(request.url).pathname
    if (path === '/verify')
      return Response.json(await facilitator.verify(paymentPayload, paymentRequirements))
    if (path === '/settle')
      return Response.json(await facilitator.settle(paymentPayload, paymentRequirements))
    return new Response(null, { status: 404 })
  },
})
process.stdout.write(`http://127.0.0.1:${server.port}\n`)
