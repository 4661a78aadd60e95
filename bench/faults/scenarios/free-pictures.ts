import { freePort } from '../../../test/support/free-port.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { usedOf } from '../support/accounts.ts'
import { ask, repeat } from '../support/ask.ts'

const connections = 4
const stranger = { 'x-forwarded-for': '203.0.113.9' }
const others = { 'x-forwarded-for': '198.51.100.7' }
/** Free drawings of one address in a minute, and those of the pictures without words. */
const drawnMax = 60 + 8

/** Pictures that nobody pays for cost a stranger's address little, however often and in whatever look it asks for them. */
export const freePictures: Scenario = {
  name: 'free-pictures',
  title: 'a flood of calls whose pictures cannot be had',
  tried:
    'one stranger on four connections asks for cards of dead pages in new widths and of new hosts, and for badges of dead documents in new looks; another caller draws small PNG cards meanwhile',
  async run(context) {
    const deadPort = await freePort()
    const server = await context.startServer({
      env: {
        LOG_LEVEL: 'error',
        TRUSTED_PROXIES: '127.0.0.1/32',
        FETCH_ALLOW_CIDRS: '127.0.0.0/8',
        FETCH_ALLOW_PORTS: String(deadPort),
        FETCH_TARGET_PER_MINUTE: '1000000',
      },
    })
    const before = await smallCards(context, server.url, 'before')
    const entries = await cachedPictures(context, server.url)
    let index = 0
    const flood = repeat(connections, async () => {
      index += 1
      const call = callOf(index, deadPort)
      const answer = await ask(context, `${server.url}${call}&demo=1`, { headers: stranger })
      context.count('calls that nobody pays for')
      if (answer?.status !== 200) context.mistake(`a replacement was answered ${answer?.status}`)
    })
    const meanwhile = await smallCards(context, server.url, 'meanwhile')
    while (index < context.times(5000, 150)) await Bun.sleep(20)
    await flood.stop()
    const drawn = (await cachedPictures(context, server.url)) - entries - meanwhile.length
    context.count('of them drawn', drawn)
    context.expect(drawn <= drawnMax, `${drawn} pictures that nobody pays for were drawn`)
    const counted = usedOf(server.databasePath, 'demo') - before.length - meanwhile.length
    context.expect(counted === 0, `${counted} replacements were counted`)
    // A slow machine says nothing about this with a few cards.
    if (context.isQuick) return
    const [quietMs, busyMs] = [medianOf(before), medianOf(meanwhile)]
    context.expect(
      busyMs < 5 * quietMs + 20,
      `a small PNG took ${busyMs.toFixed(0)} ms instead of ${quietMs.toFixed(0)} ms`,
    )
  },
}

function callOf(index: number, port: number): string {
  const width = 300 + ((index * 7) % 2100)
  if (index % 3 === 0)
    return `/api/card.png?page=http://127.0.0.9:${port}/&size=pin&width=${width}&theme=poster`
  const host = `127.${(index >> 8) & 127}.${index & 255}.9:${port}`
  if (index % 3 === 1) return `/api/card.png?page=http://${host}/&size=pin&width=2400`
  return `/api/badge?json=http://${host}/a.json&query=$.a&fallback=badge&format=png&scale=4&label=${index}`
}

/** How long new small cards take, one after the other. */
async function smallCards(context: FaultContext, url: string, name: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let card = 0; card < context.times(200, 10); card++) {
    const answer = await ask(context, `${url}/api/og.png?title=${name}+${card}&demo=1`, { headers: others })
    if (answer?.status !== 200) context.mistake(`a small card was answered ${answer?.status}`)
    times.push(answer?.ms ?? Number.NaN)
    context.count('small cards of another caller')
  }
  return times
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN
}

async function cachedPictures(context: FaultContext, url: string): Promise<number> {
  const stats = await ask(context, `${url}/api/stats`)
  return JSON.parse(stats?.text ?? '{}').cache.entries
}
