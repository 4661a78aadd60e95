import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

interface Page {
  readonly ids: ReadonlySet<string>
  readonly links: readonly string[]
}

async function readPage(path: string): Promise<Page> {
  const ids = new Set<string>()
  const links: string[] = []
  const collect = new HTMLRewriter()
    .on('[id]', { element: (element) => void ids.add(element.getAttribute('id') ?? '') })
    .on('[href], [src]', {
      element(element) {
        const link = element.getAttribute('href') ?? element.getAttribute('src') ?? ''
        links.push(link.replaceAll('&amp;', '&'))
      },
    })
    .on('meta[property="og:image"]', {
      element: (element) => void links.push(element.getAttribute('content') ?? ''),
    })
  await collect.transform(await fetch(server.url + path)).text()
  return { ids, links }
}

test('every link of every page leads somewhere, to the very place on the page', async () => {
  const pages = new Map<string, Page>()
  const checked = new Set<string>()
  const broken: string[] = []
  const waiting = ['/']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const page = await readPage(path)
    pages.set(path, page)
    for (const link of page.links) {
      const url = new URL(link, server.url + path)
      if (url.origin !== server.url || checked.has(url.href)) continue
      checked.add(url.href)
      const { pathname, search, hash } = url
      const answer = await fetch(url, { method: 'HEAD' })
      if (answer.status !== 200) broken.push(`${path}: ${link} (${answer.status})`)
      const target = pathname + search
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
      if (isPage && !pages.has(target) && !waiting.includes(target)) waiting.push(target)
      if (hash !== '') {
        const { ids } = pages.get(target) ?? (await readPage(target))
        if (!ids.has(decodeURIComponent(hash.slice(1)))) broken.push(`${path}: ${link} (no such place)`)
      }
    }
  }
  expect(broken).toEqual([])
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      '/',
      '/docs',
      '/docs/errors',
      '/docs/embedding',
      '/docs/hugo',
      '/status',
      '/bot',
      '/?kind=badge',
    ]),
  )
  expect(checked.size).toBeGreaterThan(40)
})

test('every address that an error gives for its documentation is a place on a page', async () => {
  const { ids } = await readPage('/docs/errors')
  const asked = [
    '/api/og',
    '/api/og?title=a',
    '/nothing',
    '/api/usage?key=mk_none',
    `/api/og?title=a&key=mk_x&t=1&sig=${'a'.repeat(64)}`,
  ]
  for (const path of asked) {
    const body = await (await fetch(server.url + path)).json()
    const docs = new URL(body.type ?? body.docs)
    expect(docs.origin + docs.pathname).toBe(`${server.url}/docs/errors`)
    expect(ids.has(docs.hash.slice(1))).toBe(true)
  }
})
