import { expect, test } from 'bun:test'
import { guidePath, guides } from '../../src/site/guides/guides.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

const paths = [
  '/',
  '/examples',
  '/docs',
  '/docs/errors',
  '/docs/guides',
  '/status',
  '/bot',
  ...guides.map(guidePath),
]

/** The content of a page's tag by its property or name. */
function tagOf(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
}

test('each page names a card of its own, a PNG of the size that its tags say', async () => {
  const cards = new Map<string, string>()
  for (const path of paths) {
    const html = await (await fetch(server.url + path)).text()
    const address = tagOf(html, 'og:image') ?? ''
    expect([path, address]).toEqual([path, expect.stringMatching(/\/pictures\/share-[a-z-]+\.png$/)])
    cards.set(address, path)
    expect(tagOf(html, 'og:image:alt')?.length).toBeGreaterThan(0)
    expect(tagOf(html, 'twitter:card')).toBe('summary_large_image')
    const answer = await fetch(new URL(new URL(address).pathname, server.url))
    expect([address, answer.status, answer.headers.get('content-type')]).toEqual([address, 200, 'image/png'])
    const png = Buffer.from(await answer.arrayBuffer())
    const size = [png.readUInt32BE(16), png.readUInt32BE(20)].map(String)
    expect(size).toEqual([tagOf(html, 'og:image:width') ?? '', tagOf(html, 'og:image:height') ?? ''])
    expect(png.length).toBeLessThan(60_000)
  }
  expect(cards.size).toBe(paths.length)
})

test('drawing them takes nothing of a quota, and no other file is one', async () => {
  await (await fetch(`${server.url}/pictures/share-home.png`)).arrayBuffer()
  const stats = await (await fetch(`${server.url}/api/stats`)).json()
  expect(stats).toMatchObject({ demo: { used: 0 }, day: { by_endpoint: { og: 0 } } })
  for (const file of ['share-none.png', 'share-.png', 'share-home.svg', 'share-__proto__.png'])
    expect((await fetch(`${server.url}/pictures/${file}`)).status).toBe(404)
})
