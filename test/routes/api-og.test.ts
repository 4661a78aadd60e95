import { afterAll, beforeAll, expect, test } from 'bun:test'
import { themeNames } from '../../src/assets/og/themes.ts'
import { testTable } from '../support/http-table.ts'
import { decodePng } from '../support/png-decode.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { parseXml } from '../support/xml-tree.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('an SVG card is 1200 by 630 and says its words to those who cannot see it', async () => {
  const query = new URLSearchParams({
    title: 'Fish & <chips>',
    subtitle: 'Served "hot"',
    author: 'Ada Lovelace',
    url: 'https://www.example.com/',
    demo: '1',
  })
  const response = await fetch(`${server.url}/api/og?${query}`)
  const svg = parseXml(await response.text())
  function textOf(name: string) {
    return svg.children.find((child) => typeof child === 'object' && child.name === name)
  }
  expect(svg.attributes).toMatchObject({ viewBox: '0 0 1200 630', role: 'img' })
  expect(textOf('title')).toMatchObject({ children: ['Fish & <chips>'] })
  expect(textOf('desc')).toMatchObject({ children: ['Served "hot" · Ada Lovelace · example.com'] })
})

test.each([
  ['/api/og.png?title=a&demo=1', 1200, 630],
  ['/api/og?title=a&format=png&demo=1', 1200, 630],
  ['/api/og.png?title=a&width=600&theme=paper&demo=1', 600, 315],
  ['/api/og.png?title=a&width=301&theme=grid&demo=1', 301, 158],
])('%s is a PNG of %i by %i', async (path, width, height) => {
  const response = await fetch(server.url + path)
  expect(response.headers.get('content-type')).toBe('image/png')
  const png = decodePng(new Uint8Array(await response.arrayBuffer()))
  expect([png.widthPx, png.heightPx]).toEqual([width, height])
})

testTable(
  () => server,
  [
    {
      name: 'the path of PNGs gives an SVG to those who ask for one',
      url: '/api/og.png?title=a&format=svg&demo=1',
      expectedStatus: 200,
      expectedHeaders: { 'content-type': 'image/svg+xml', 'content-disposition': 'inline; filename="a.svg"' },
    },
    {
      name: 'a title without Latin letters has a plain file name',
      url: '/api/og?title=%E4%BD%A0%E5%A5%BD&demo=1',
      expectedStatus: 200,
      expectedHeaders: { 'content-disposition': 'inline; filename="card.svg"' },
    },
    ...themeNames.map((theme) => ({
      name: `the theme ${theme} draws`,
      url: `/api/og?title=a&theme=${theme}&demo=1`,
      expectedStatus: 200,
      expectedContent: ['<svg', '<path'],
      notExpectedContent: ['NaN', 'undefined', '<script', '<text', 'http://www.example'],
    })),
  ],
)
