import { describe, expect, test } from 'bun:test'
import { cardSizes, sizeNames } from '../../src/assets/og/card-sizes.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { readJpegHeader, readWebpHeader } from '../../src/raster/picture-headers.ts'
import { testTable } from '../support/http-table.ts'
import { decodePng } from '../support/png-decode.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { parseXml } from '../support/xml-tree.ts'

const server = started(startService)

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

describe('the sizes', () => {
  test.each(Object.entries(cardSizes))('%s is an SVG and a PNG of its own extent', async (size, extent) => {
    const { widthPx, heightPx } = extent
    const svg = await (await fetch(`${server.url}/api/og?title=a&size=${size}&demo=1`)).text()
    expect(parseXml(svg).attributes).toMatchObject({
      viewBox: `0 0 ${widthPx} ${heightPx}`,
      width: String(widthPx),
      height: String(heightPx),
    })
    const path = `/api/og.png?title=a&size=${size}&scheme=dark&theme=paper&demo=1`
    const png = decodePng(new Uint8Array(await (await fetch(server.url + path)).arrayBuffer()))
    expect([png.widthPx, png.heightPx]).toEqual([widthPx, heightPx])
  })

  test('have a height that follows the width', async () => {
    const response = await fetch(`${server.url}/api/og.png?title=a&size=pin&width=400&demo=1`)
    const png = decodePng(new Uint8Array(await response.arrayBuffer()))
    expect([png.widthPx, png.heightPx]).toEqual([400, 600])
  })

  test('hold for an error in an <img> too, in its own width', async () => {
    const path = '/api/og.png?title=a&size=square&width=500&theme=pink&demo=1'
    const response = await fetch(server.url + path, { headers: { accept: 'image/*' } })
    expect(response.status).toBe(400)
    expect(parseXml(await response.text()).attributes).toMatchObject({ width: '1080', height: '1080' })
  })
})

test('every theme has two schemes, and its own where none is asked for', async () => {
  for (const theme of themeNames) {
    const [own, light, dark] = await Promise.all(
      ['', '&scheme=light', '&scheme=dark'].map(async (scheme) =>
        (await fetch(`${server.url}/api/og?title=a&accent=36f&theme=${theme}${scheme}&demo=1`)).text(),
      ),
    )
    expect(light).not.toBe(dark)
    if (theme !== 'poster') expect([light, dark]).toContain(own)
  }
})

describe('the formats', () => {
  const formats = [
    ['/api/og.jpg?title=a%20b', 'image/jpeg', 'a-b.jpg', readJpegHeader],
    ['/api/og?title=a%20b&format=jpeg&quality=40', 'image/jpeg', 'a-b.jpg', readJpegHeader],
    ['/api/og.webp?title=a%20b', 'image/webp', 'a-b.webp', readWebpHeader],
    ['/api/og.png?title=a%20b&format=webp&quality=95', 'image/webp', 'a-b.webp', readWebpHeader],
  ] as const

  test.each(formats)('%s is %s', async (path, type, name, read) => {
    const response = await fetch(`${server.url}${path}&size=square&width=480&demo=1`)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toBe(`inline; filename="${name}"`)
    expect(response.headers.get('content-encoding')).toBeNull()
    const bytes = await response.arrayBuffer()
    expect(read(new DataView(bytes))).toMatchObject({ widthPx: 480, heightPx: 480 })
  })

  test('have ETags of their own, with which they are asked for again', async () => {
    const paths = ['.png?', '.jpg?', '.jpg?quality=70&', '.webp?', '.webp?size=x&', '?'].map(
      (rest) => `${server.url}/api/og${rest}title=tags&demo=1`,
    )
    const etags = await Promise.all(paths.map(async (path) => (await fetch(path)).headers.get('etag') ?? ''))
    expect(new Set(etags).size).toBe(paths.length)
    for (const [index, path] of paths.entries()) {
      const again = await fetch(path, { headers: { 'if-none-match': etags[index] ?? '' } })
      expect(again.status).toBe(304)
    }
  })
})

describe('a longer title', () => {
  const words = 'The lines of a long title are fitted, '.repeat(7).trim()

  test('is an error that says how it may be longer', async () => {
    const response = await fetch(`${server.url}/api/og?title=${encodeURIComponent(words)}&demo=1`)
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as { errors: unknown }
    expect(errors).toEqual([
      {
        parameter: 'title',
        message: `must be 1 to 80 characters, not ${words.length}; overflow=ellipsis takes up to 300`,
      },
    ])
  })

  test('is cut where that is asked for, and the picture’s own words keep all of it', async () => {
    const query = new URLSearchParams({
      title: words,
      subtitle: 'x '.repeat(240).trim(),
      overflow: 'ellipsis',
    })
    for (const size of sizeNames) {
      const svg = parseXml(await (await fetch(`${server.url}/api/og?${query}&size=${size}&demo=1`)).text())
      const texts = svg.children.flatMap((child) =>
        typeof child === 'object' && (child.name === 'title' || child.name === 'desc') ? child.children : [],
      )
      expect(texts).toEqual([words, 'x '.repeat(240).trim()])
    }
  })
})

testTable(
  () => server,
  [
    ...(
      [
        ['quality=82', 'quality', 'is only for format=jpeg, format=webp'],
        ['format=png&quality=82', 'quality', 'is only for format=jpeg, format=webp'],
        ['format=jpeg&quality=39', 'quality', 'must be an integer from 40 to 95'],
        ['format=webp&quality=96', 'quality', 'must be an integer from 40 to 95'],
        ['format=gif', 'format', 'must be one of svg, png, jpeg, webp'],
        ['width=600', 'width', 'is only for format=png, format=jpeg, format=webp'],
        ['format=jpeg&width=2401', 'width', 'must be an integer from 300 to 2400'],
        ['size=banner', 'size', 'must be one of og, github, x, square, portrait, pin'],
        ['scheme=sepia', 'scheme', 'must be one of light, dark'],
        ['overflow=clip', 'overflow', 'must be one of error, ellipsis'],
        [`overflow=ellipsis&subtitle=${'x'.repeat(501)}`, 'subtitle', 'must be 0 to 500 characters, not 501'],
        [`overflow=ellipsis&author=${'x'.repeat(81)}`, 'author', 'must be 0 to 80 characters, not 81'],
      ] as const
    ).map(([query, parameter, message]) => ({
      name: `${query.slice(0, 40)} is refused by name`,
      url: `/api/og?title=a&${query}&demo=1`,
      expectedStatus: 400,
      expectedContent: [`"parameter":"${parameter}"`, message],
    })),
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
