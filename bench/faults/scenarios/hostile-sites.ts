import type { FaultContext } from '../context.ts'
import {
  type HostileDocument,
  hostileLlms,
  hostilePages,
  hostileRobots,
  hostileSitemaps,
} from '../hostile/documents.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import { notFound, plainAnswer, startSite } from '../support/site.ts'

const page = plainAnswer('text/html', '<!doctype html><title>Harbour</title><a href="/two">two</a>')

/** The documents of another person's site are read within a budget, and everybody else is served meanwhile. */
export const hostileSitemapsScenario: Scenario = {
  name: 'hostile-sitemaps',
  title: 'hostile sitemaps, robots.txt and llms.txt',
  tried: 'bundles of sites whose files evade depth limits, nest, never end or match slowly',
  bounds: { stallMsMax: 250, memoryMbMax: 200 },
  async run(context) {
    const files = [
      ...hostileSitemaps.map((file) => ({ ...file, path: '/sitemap.xml' })),
      ...hostileRobots.map((file) => ({ ...file, path: '/robots.txt' })),
      ...hostileLlms.map((file) => ({ ...file, path: '/llms.txt' })),
    ]
    const site = await startSite(context, ({ path, host, socket }) => {
      const file = files[Number(host.split('.')[0]?.slice(1))]
      if (path === file?.path) socket.end(file.answer)
      else if (path === '/' || path === '/two') socket.end(page)
      else socket.end(notFound)
    })
    const server = await context.startServer({ env: { LOG_LEVEL: 'error', ...site.env } })
    for (const [index, { what }] of chosen(context, files)) {
      const answer = await ask(context, `${server.url}/api/sitemap?domain=h${index}.example.com&demo=1`)
      context.count('bundles')
      context.expect(answer?.status === 200, `a bundle was answered ${answer?.status}: ${what}`)
    }
  },
}

export const hostilePagesScenario: Scenario = {
  name: 'hostile-pages',
  title: 'hostile web pages',
  tried: 'previews of pages that nest, never end or hide bombs in their markup and JSON-LD',
  bounds: { stallMsMax: 250, memoryMbMax: 200 },
  async run(context) {
    const site = await startSite(context, ({ path, socket }) => {
      const document = hostilePages[Number(path.slice(1))]
      socket.end(document?.answer ?? notFound)
    })
    const server = await context.startServer({ env: { LOG_LEVEL: 'error', ...site.env } })
    for (const [index] of chosen(context, hostilePages)) {
      const url = encodeURIComponent(site.url(`/${index}`))
      await ask(context, `${server.url}/api/transform?kind=preview&url=${url}&demo=1`, {
        expected: [200, 502, 504],
      })
      context.count('previews')
    }
  },
}

/** All of them, or the worst for the tests. */
function chosen<T extends HostileDocument>(context: FaultContext, all: readonly T[]) {
  return [...all.entries()].slice(0, context.isQuick ? 2 : all.length)
}
