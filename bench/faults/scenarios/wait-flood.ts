import { shopkeeper } from '../../../test/payments/support/anvil.ts'
import { freshPath } from '../../../test/payments/support/pay.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import { askUntilKnown, cardPrice, openMarket, verdictOf } from '../support/market.ts'
import { cpuMsOf } from '../support/process-tree.ts'
import { plainAnswer, startSite } from '../support/site.ts'

const previewPrice = 1_000_000n
const page = '<!doctype html><title>A page</title><meta name="description" content="It took a while.">'
/** How long the site keeps the first request for each page before it cuts the connection. */
const slowMs = 5_000
/** Time after which all requests have arrived and wait. */
const arrivalMs = 2_000
const watchedMs = 1_000
/**
 * The largest allowed share of one core. Three hundred requests that each ask the store again and again take twice as
 * much or more.
 */
const shareMax = 0.1

/**
 * Eight repetitions of one payment wait for an address and look at the store as one: they delay neither cards nor the payer,
 * and the failed answer can be bought later.
 */
export const waitFlood: Scenario = {
  name: 'wait-flood',
  title: 'one payment repeated while its answer is made',
  tried:
    'hundreds of requests from one address show one payment for a slow page, while its payer waits at another and others ask for cards; the page fails, and comes at the next try',
  async run(context) {
    const market = await openMarket(context)
    const asked = new Map<string, number>()
    const site = await startSite(context, ({ path, socket }) => {
      const times = (asked.get(path) ?? 0) + 1
      asked.set(path, times)
      if (times > 1) socket.end(plainAnswer('text/html', page))
      else setTimeout(() => socket.destroy(), slowMs)
    })
    const env = { ...market.env, ...site.env, TRUSTED_PROXIES: '127.0.0.1/32' }
    const server = await context.startServer({ env })
    const card = () => ask(context, `${server.url}/api/og?title=Beside&demo=1`, { expected: [200] })
    const idleMs = await medianMs(context, card)
    for (let round = 0; round < context.times(5, 1); round++) {
      const txHash = await market.chain.transfer(shopkeeper.address, previewPrice)
      const url = `${server.url}/api/preview?fresh=1&url=${encodeURIComponent(site.url(`/page-${round}`))}`
      const first = ask(context, url, { headers: headersOf(txHash, '192.0.2.1') })
      while (asked.get(`/page-${round}`) === undefined) await Bun.sleep(10)
      const total = context.times(300, 60)
      const repeats = inParallel(total, total, async () => {
        context.count('repeats')
        await ask(context, url, { headers: headersOf(txHash, '192.0.2.1') })
      })
      const honest = askUntilKnown(context, url, headersOf(txHash, '198.51.100.1'))
      await Bun.sleep(arrivalMs)
      const share = await processorShare(server.pid)
      context.expect(
        share < shareMax,
        `${total} requests that wait take ${Math.round(100 * share)} % of a core`,
      )
      const busyMs = await medianMs(context, card)
      context.expect(
        busyMs < Math.max(10 * idleMs, context.times(50, 500)),
        `a card took ${Math.round(busyMs)} ms beside the flood, ${Math.round(idleMs)} ms without`,
      )
      const verdict = await honest
      if (verdict !== '200') context.lose(`a payment for a slow page, answered ${verdict}`)
      await Promise.all([first, repeats])
      context.count('pages bought')
      const fetches = asked.get(`/page-${round}`) ?? 0
      context.expect(fetches <= 3, `a page was fetched ${fetches} times for one payment`)
      const again = await ask(context, server.url + freshPath('Again'), {
        headers: headersOf(txHash, '198.51.100.1'),
      })
      context.expect(verdictOf(again) === '402 payment_already_used', 'one payment bought two things')
    }
    await payBeside(context, market, server.url)
  },
}

/** A payer who shares the address of the flood pays as ever. */
async function payBeside(
  context: FaultContext,
  { chain }: Awaited<ReturnType<typeof openMarket>>,
  url: string,
): Promise<void> {
  const txHash = await chain.transfer(shopkeeper.address, cardPrice)
  const verdict = await askUntilKnown(context, url + freshPath('Beside'), headersOf(txHash, '192.0.2.1'))
  context.expect(verdict === '200', `a payer at the flood’s address is answered ${verdict}`)
}

function headersOf(txHash: string, address: string): Record<string, string> {
  return { 'x-payment': txHash, 'x-forwarded-for': address }
}

/** Share of one core that a server uses, measured over a second. */
async function processorShare(pid: number): Promise<number> {
  const [beforeMs, startMs] = [cpuMsOf(pid), performance.now()]
  await Bun.sleep(watchedMs)
  return (cpuMsOf(pid) - beforeMs) / (performance.now() - startMs)
}

/** The median time of some cards, one after the other. */
async function medianMs(
  context: FaultContext,
  card: () => Promise<{ readonly ms: number } | undefined>,
): Promise<number> {
  const timesMs: number[] = []
  for (let call = 0; call < context.times(100, 20); call++) timesMs.push((await card())?.ms ?? 0)
  context.count('cards', timesMs.length)
  return timesMs.toSorted((a, b) => a - b)[timesMs.length >> 1] ?? 0
}
