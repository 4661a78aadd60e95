import { stranger } from '../../../test/payments/support/anvil.ts'
import {
  type SignedAuthorization,
  signAuthorization,
  v2Header,
} from '../../../test/payments/support/authorize.ts'
import { carrying, openBundler } from '../../../test/payments/support/bundle.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { askUntilKnown, cardPrice, openMarket, verdictOf } from '../support/market.ts'

/** The facilitator's answers, although it settles each payment. */
const words: Readonly<Record<string, () => Response>> = {
  'a word that nobody knows': () => Response.json({ success: false, errorReason: 'quite_unknown' }),
  'a word that is no word': () => Response.json({ success: false, errorReason: 'constructor' }),
  nothing: () => Response.json({}),
  'an error': () => Response.json({ error: 'no' }, { status: 500 }),
  'success without a transaction': () => Response.json({ success: true }),
  'success with a transaction that is none': () =>
    Response.json({ success: true, transaction: 'yes', network: 'eip155:84532', payer: stranger.address }),
  'a page': () => new Response('<html>'),
}

/** An outcome that is unclear counts as unknown: the caller is not told to sign again, and the chain decides. */
export const facilitatorWords: Scenario = {
  name: 'facilitator-words',
  title: 'a facilitator’s odd words',
  tried: 'words that no standard knows, said by a facilitator that settles all the same a moment later',
  async run(context) {
    const { chain, env, moved } = await openMarket(context)
    const bundler = await openBundler(chain)
    let say = words['nothing'] ?? Response.error
    const facilitator = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => (new URL(request.url).pathname === '/settle' ? say() : answerAside(request)),
    })
    context.defer(() => facilitator.stop(true))
    const { X402_SETTLER_KEY: _, ...rest } = env
    const server = await context.startServer({
      env: {
        ...rest,
        X402_FACILITATOR_URL: `http://127.0.0.1:${facilitator.port}/`,
        X402_SETTLE_TIMEOUT_MS: '1500',
      },
    })
    const all = Object.entries(words)
    for (const [name, word] of context.isQuick ? all.slice(0, 3) : all) {
      say = word
      const before = await moved()
      const signed = await signAuthorization({ validBefore: Math.floor(Date.now() / 1000) + 300 })
      await buy(context, server.url, name, signed, () => bundler.run([carrying(signed)]))
      context.expect((await moved()) - before === cardPrice, 'money did not move once')
      context.count('words')
    }
  },
}

async function buy(
  context: FaultContext,
  origin: string,
  name: string,
  signed: SignedAuthorization,
  settle: () => Promise<unknown>,
): Promise<void> {
  const url = origin + freshPath('Word')
  const headers = v2Header(signed)
  const answer = await ask(context, url, { headers })
  const first = verdictOf(answer)
  context.expect(first.startsWith('503'), `${name} was answered ${first}: sign anew`)
  context.expect(!answer?.text.includes('constructor'), 'a facilitator’s word is echoed')
  await settle()
  const verdict = await askUntilKnown(context, url, headers)
  if (verdict !== '200') context.lose(`a payment that was settled after ${name}, answered ${verdict}`)
}

function answerAside(request: Request): Response {
  const { pathname } = new URL(request.url)
  if (pathname === '/verify') return Response.json({ isValid: true })
  const kind = { scheme: 'exact', network: 'eip155:84532', x402Version: 2 }
  return Response.json({ kinds: [kind, { ...kind, network: 'base-sepolia', x402Version: 1 }] })
}
