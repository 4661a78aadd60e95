import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { startDnsServer } from '../../../test/web/support/dns-server.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'

interface SsrfCase {
  readonly url: string
  readonly expect: 'blocked' | 'allowed'
}

const cases: readonly SsrfCase[] = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/web/ssrf.json', import.meta.url), 'utf8'),
).cases

/** Nobody reaches this machine, or the network that it stands in, by having a page fetched. */
export const privateAddresses: Scenario = {
  name: 'private-addresses',
  title: 'requests to private addresses',
  tried:
    'previews of every form of writing a private address, and of names that lead to one; a listener waits there',
  async run(context) {
    const canary = await startCanary(context)
    const dns = await startDnsServer(() => ['127.0.0.1'])
    context.defer(() => dns.close())
    const env = { LOG_LEVEL: 'error', FETCH_DNS: dns.address, FETCH_ALLOW_PORTS: `80,443,${canary.port}` }
    const server = await context.startServer({ env })
    const blocked = cases.filter((one) => one.expect === 'blocked').map(({ url }) => url)
    const urls = [...blocked, ...blocked.flatMap((url) => atPort(url, canary.port))]
    await inParallel(context.isQuick ? 40 : urls.length, 8, async (index) => {
      const url = encodeURIComponent(urls[index] ?? '')
      await ask(context, `${server.url}/api/transform?kind=preview&url=${url}&demo=1`, {
        expected: [400, 403, 502],
      })
      context.count('addresses')
    })
    context.mistake('the listener was reached', canary.connections())
  },
}

/** The URL's host with the port of the canary. */
function atPort(url: string, port: number): readonly string[] {
  const [, host] = /^https?:\/\/([^/:?#[\]@]+)/.exec(url) ?? []
  return host === undefined ? [] : [`http://${host}:${port}/`]
}

async function startCanary(context: FaultContext) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  context.defer(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: () => connections,
  }
}
