import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

/** The peer: what its documentation shows, in a process of its own. */
const [facilitatorUrl = '', payTo = ''] = process.argv.slice(2)
const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl })
const server = new x402ResourceServer(facilitator).register('eip155:84532', new ExactEvmScheme())
const routes = {
  'GET /api/og': {
    accepts: { scheme: 'exact', network: 'eip155:84532' as const, price: '$0.01', payTo },
    description: 'A card',
    mimeType: 'image/svg+xml',
  },
}
const app = new Hono()
app.use(paymentMiddleware(routes, server))
app.get('/api/og', (context) =>
  context.body('<svg xmlns="http://www.w3.org/2000/svg"/>', 200, { 'content-type': 'image/svg+xml' }),
)
const listening = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch: app.fetch })
process.stdout.write(`http://127.0.0.1:${listening.port}\n`)
