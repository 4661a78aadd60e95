import { signUrl } from '../../../src/client/sign-url.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel, repeat } from '../support/ask.ts'
import { notFound, plainAnswer, startSite } from '../support/site.ts'

const perMinute = 600
const strangersMax = perMinute / 5

/** Whatever callers make this server ask of somebody else's site is bounded, and those who sign are served meanwhile. */
export const targetFlood: Scenario = {
  name: 'target-flood',
  title: 'a flood of calls that read one site',
  tried:
    'bundles of subdomains, previews and cards by strangers at many addresses, then badges by five issued keys; another key reads the same site meanwhile',
  async run(context) {
    const arrivals: { readonly atMs: number; readonly isKeys: boolean }[] = []
    const site = await startSite(context, ({ path, socket }) => {
      arrivals.push({ atMs: performance.now(), isKeys: /^\/(?:badge|honest)/.test(path) })
      if (path.startsWith('/badge')) return void socket.end(document)
      socket.end(/robots|sitemap|llms/.test(path) ? notFound : page)
    })
    const { url } = await context.startServer({
      env: {
        ...site.env,
        LOG_LEVEL: 'error',
        TRUSTED_PROXIES: '127.0.0.1/32',
        FETCH_TARGET_PER_MINUTE: String(perMinute),
      },
    })
    const keys = await Promise.all(Array.from({ length: 6 }, () => issueKey(url)))
    const calls = context.times(1500, 150)
    await inParallel(calls, 16, async (index) => {
      await askAsStranger(context, url + strangersCall(site.url, index), index)
      context.count('calls of strangers')
    })
    const floods = keys.slice(1).map((key, number) => {
      let index = 0
      return repeat(2, async () => {
        index += 1
        const endpoint = site.url(`/badge/${number}/${index}`, `b${index}.example.com`)
        await ask(context, await signUrl(`${url}/api/badge?${new URLSearchParams({ endpoint })}`, key))
        context.count('badges of issued keys')
      })
    })
    const honest = context.times(40, 10)
    for (let index = 0; index < honest && keys[0] !== undefined; index += 1) {
      const preview = new URLSearchParams({ url: site.url(`/honest/${index}`) })
      const answer = await ask(context, await signUrl(`${url}/api/preview?${preview}`, keys[0]))
      context.count('previews of another key')
      if (answer?.status !== 200) context.mistake(`another key was answered ${answer?.status}`)
      await Bun.sleep(100)
    }
    await Promise.all(floods.map((flood) => flood.stop()))
    expectBounds(context, arrivals)
  },
}

const page = plainAnswer(
  'text/html',
  `<!doctype html><title>Harbour</title>${Array.from({ length: 20 }, (_, n) => `<a href="/${n}">${n}</a>`).join('')}`,
)
const document = plainAnswer('application/json', '{"schemaVersion":1,"label":"n","message":"one"}')

async function issueKey(url: string): Promise<{ readonly key: string; readonly secret: string }> {
  const { id, secret } = await (await fetch(`${url}/api/key`)).json()
  return { key: id, secret }
}

/** In turns a bundle of a subdomain, a preview and a card. */
function strangersCall(urlOf: (path: string, host: string) => string, index: number): string {
  const host = `s${index}.example.com`
  if (index % 3 === 0) return `/api/sitemap?${new URLSearchParams({ domain: host, demo: '1' })}`
  if (index % 3 === 1)
    return `/api/preview?${new URLSearchParams({ url: urlOf(`/preview/${index}`, host), demo: '1' })}`
  return `/api/card?${new URLSearchParams({ page: urlOf(`/card/${index}`, host), demo: '1' })}`
}

async function askAsStranger(context: FaultContext, url: string, index: number): Promise<void> {
  await ask(context, url, {
    headers: { 'x-forwarded-for': `198.51.100.${index % 250}` },
    expected: [200, 503],
  })
}

function expectBounds(
  context: FaultContext,
  arrivals: readonly { readonly atMs: number; readonly isKeys: boolean }[],
): void {
  context.count('requests that arrived', arrivals.length)
  const strangers = arrivals.filter(({ isKeys }) => !isKeys)
  const keys = arrivals.filter(({ isKeys }) => isKeys)
  for (const [who, some, max] of [
    ['strangers', strangers, strangersMax],
    ['keys', keys, perMinute - strangersMax],
  ] as const) {
    const most = Math.max(
      0,
      ...some.map(({ atMs: from }) => some.filter(({ atMs }) => atMs >= from && atMs < from + 59_000).length),
    )
    context.expect(most <= max, `${most} requests within a minute came from ${who}, at most ${max} may`)
  }
}
