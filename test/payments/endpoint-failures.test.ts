import { afterAll, describe, expect, test } from 'bun:test'
import { createEndpoint } from '../../src/payments/chain/rpc.ts'

const secret = '0123456789abcdef0123456789abcdef'
/** The time limit of an endpoint that does not answer; the others have far more than they need. */
const timeoutMs = 200
const patienceMs = 60_000

const servers = new Map<string, () => Response | Promise<Response>>([
  ['refuses the key', () => new Response(`no account ${secret}`, { status: 401 })],
  ['answers a page', () => new Response('<html>')],
  ['answers nothing in time', () => new Promise(() => {})],
  [
    'repeats its URL',
    () =>
      Response.json({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32005, message: `over quota: https://rpc.example/v3/${secret}` },
      }),
  ],
  ['answers too much', () => new Response(`"${'a'.repeat(3_000_000)}"`)],
])
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const fault = decodeURIComponent(new URL(request.url).pathname.slice(1).split('/')[0] ?? '')
    return servers.get(fault)?.() ?? new Response(null, { status: 404 })
  },
})
afterAll(() => provider.stop(true))

/** The message about an endpoint at this URL in the log, the operator's area and a caller's 503. */
async function failureAt(url: string, limitMs = patienceMs): Promise<string> {
  const failed = createEndpoint(url, limitMs).request('eth_chainId', [])
  return await failed.then(
    () => 'no failure',
    (error: Error) => error.message,
  )
}

describe('a failing RPC endpoint is told in one line without its URL, which holds the key of an account', () => {
  test.each([
    ['refuses the key', 'answers with HTTP status 401'],
    ['answers a page', 'answers no JSON-RPC'],
    ['answers nothing in time', `has not answered within ${timeoutMs} ms`],
    ['repeats its URL', 'over quota: https://rpc.example/v3/…'],
    ['answers too much', 'answers with too many bytes'],
  ])('where it %s', async (fault, said) => {
    const url = `http://127.0.0.1:${provider.port}/${encodeURIComponent(fault)}/${secret}`
    expect(await failureAt(url, fault === 'answers nothing in time' ? timeoutMs : patienceMs)).toBe(said)
  })

  test('where nothing listens', async () => {
    expect(await failureAt(`http://127.0.0.1:1/v3/${secret}`)).toBe(
      'cannot be reached: nothing listens there',
    )
  })

  test('where no name server knows its host', async () => {
    const said = await failureAt(`http://nosuch.invalid/v3/${secret}`)
    expect(said).toStartWith('cannot be reached: ')
    expect(said).not.toContain(secret)
  })
})
