import { startDnsServer } from '../../web/support/dns-server.ts'

type Answer = Response | ((headers: Headers) => Response | Promise<Response>)

/** A site on this machine, under any name below `example.com`. Its pages can be changed while it runs. */
export async function startPageSite({ isSecure = false } = {}) {
  const answers = new Map<string, Answer>()
  let others: ((path: string) => Response) | undefined
  const requests: { readonly path: string; readonly headers: Headers }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    ...(isSecure && {
      tls: { key: Bun.file(`${certificates}/site.key`), cert: Bun.file(`${certificates}/site.pem`) },
    }),
    async fetch({ url, headers }) {
      const { pathname, search } = new URL(url)
      const path = pathname + search
      requests.push({ path, headers })
      const answer = answers.get(path)
      if (answer === undefined && others !== undefined) return others(path)
      if (answer === undefined)
        return new Response('<title>404 Not Found</title>', { status: 404, headers: html })
      return typeof answer === 'function' ? answer(headers) : answer.clone()
    },
  })
  const dns = await startDnsServer(addressesOf)
  const port = Number(server.port)
  return {
    port,
    /** Settings of a service that may read the site. */
    env: {
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_ALLOW_PORTS: `${port},80,443`,
      FETCH_DNS: dns.address,
      ...(isSecure && { FETCH_CA_FILE: `${certificates}/ca.pem` }),
    },
    requests,
    fetchesOf: (path: string) => requests.filter((request) => request.path === path).length,
    set: (path: string, answer: Answer) => answers.set(path, answer),
    setPage: (path: string, markup: string, headers: Readonly<Record<string, string>> = {}) =>
      answers.set(path, new Response(markup, { headers: { ...html, ...headers } })),
    /** Answers every other path. */
    setOthers: (answer: ((path: string) => Response) | undefined) => (others = answer),
    remove: (path: string) => answers.delete(path),
    url: (path: string, host = 'harbour.example.com') =>
      `${isSecure ? 'https' : 'http'}://${host}:${port}${path}`,
    async stop() {
      await server.stop(true)
      dns.close()
    },
  }
}

export type PageSite = Awaited<ReturnType<typeof startPageSite>>

/** One name leads to a private address that no test allows. */
function addressesOf(name: string): readonly string[] {
  if (name === 'intern.example.com') return ['10.0.0.1']
  return name.endsWith('.example.com') ? ['127.0.0.1'] : []
}

const certificates = new URL('../../fixtures/web/tls', import.meta.url).pathname
const html = { 'content-type': 'text/html; charset=utf-8' }
