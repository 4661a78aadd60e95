import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import type { FaultServer } from '../support/server.ts'
import { notFound, plainAnswer, startSite } from '../support/site.ts'

const slack = '203.0.113.77'
const host = 'site.example.com'
const quota = 10
const keysPerAddress = 2

/** Nobody can spend alone what the visitors of a site share, by another name or from a large network. */
export const sharedBudgets: Scenario = {
  name: 'shared-budgets',
  title: "a stranger spends a site's shared budgets",
  tried:
    'pages that do not exist, pages of a site that answers every path, false crawlers over the quota, keys for every subnet of a network',
  async run(context) {
    let reads = 0
    const site = await startSite(context, ({ path, socket }) => {
      reads += 1
      if (path.startsWith('/none')) socket.end(notFound)
      else socket.end(plainAnswer('text/html', pageOf(path)))
    })
    const env = {
      LOG_LEVEL: 'error',
      TRUSTED_PROXIES: '127.0.0.1/32',
      KEY_DAILY_QUOTA: String(quota),
      KEYS_PER_IP_PER_DAY: String(keysPerAddress),
    }
    const server = await context.startServer({ env: { ...env, ...site.env } })
    const key = await ask(context, `${server.url}/api/key?hosts=${host}`, { expected: [200] })
    const { site: id } = JSON.parse(key?.text ?? '{}')
    const card = createCaller(context, server, id)

    await inParallel(context.times(200, 60), 8, async (index) => {
      context.count('pages that do not exist')
      await card(`/none-${index}`, '198.51.100.1')
    })
    context.expect((await card('/first', slack)) === 'page', 'pages that do not exist cost a visitor a card')

    const readsBefore = reads
    await inParallel(context.times(1000, 300), 8, async (index) => {
      context.count('calls of false crawlers')
      await card(`/invented-${index % 50}`, `198.51.100.${1 + (index % 40)}`)
    })
    context.expect(reads - readsBefore <= 30, 'a site was read more than 30 times a minute')
    context.expect((await card('/new', slack)) === 'page', 'the new page of the owner has no card')
    await issueToNetwork(context, server)
  },
}

/** The home page alone names other pages. */
function pageOf(path: string): string {
  const links = path === '/' ? '<a href="/new">New</a>' : ''
  return `<!doctype html><title>Page ${path}</title><h1>Page ${path}</h1>${links}`
}

function createCaller(context: FaultContext, { url }: FaultServer, site: string) {
  return async (path: string, address: string): Promise<string | number | undefined> => {
    const page = encodeURIComponent(`https://${host}${path}`)
    const answer = await ask(context, `${url}/api/card?site=${site}&page=${page}`, {
      headers: { 'x-forwarded-for': address, 'user-agent': 'Slackbot-LinkExpanding 1.0' },
      expected: [200, 402, 503],
    })
    return answer?.status === 200 ? (answer.headers.get('x-card-source') ?? undefined) : answer?.status
  }
}

/** One subscriber has a /48, which is 65,536 networks: it gets the keys of sixteen clients. */
async function issueToNetwork(context: FaultContext, { url }: FaultServer): Promise<void> {
  const issue = (address: string) =>
    ask(context, `${url}/api/key`, { headers: { 'x-forwarded-for': address }, expected: [200, 429] })
  let issued = 0
  await inParallel(context.times(400, 120), 8, async (index) => {
    context.count('calls for a key')
    const answer = await issue(`2001:db8:1:${(index * 37).toString(16)}::1`)
    if (answer?.status === 200) issued += 1
  })
  context.mistake('a key beyond the limit of one network', issued - 16 * keysPerAddress)
  const other = await issue('2001:db8:2::1')
  context.expect(other?.status === 200, 'another network got no key')
}
