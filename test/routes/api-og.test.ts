import { describe, expect, test } from 'bun:test'
import { Buffer } from 'node:buffer'
import { noBrands } from '../../src/assets/og/brand/card-brand.ts'
import { createDrawingPool } from '../../src/assets/og/drawing-pool.ts'
import { createOgProducer } from '../../src/assets/og/produce.ts'
import { cardSizes, sizeNames } from '../../src/assets/og/theme.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { Problem } from '../../src/errors.ts'
import { type RequestContext, readHead } from '../../src/http/request-context.ts'
import { CallWaiter } from '../../src/lib/waiter.ts'
import { svgToPng } from '../../src/raster/draw-svg.ts'
import { readPictureHeader } from '../../src/raster/picture-headers.ts'
import { createPictureDrawer } from '../../src/raster/picture-process/picture-drawer.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { testTable } from '../support/http-table.ts'
import { decodePng } from '../support/png-decode.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { parseXml } from '../support/xml-tree.ts'

import cases from './api-og.json' with { type: 'json' }

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
    ['/api/og.jpg?title=a%20b', 'image/jpeg', 'a-b.jpg', 'jpeg'],
    ['/api/og?title=a%20b&format=jpeg&quality=40', 'image/jpeg', 'a-b.jpg', 'jpeg'],
    ['/api/og.webp?title=a%20b', 'image/webp', 'a-b.webp', 'webp'],
    ['/api/og.png?title=a%20b&format=webp&quality=95', 'image/webp', 'a-b.webp', 'webp'],
  ] as const

  test.each(formats)('%s is %s', async (path, type, name, format) => {
    const response = await fetch(`${server.url}${path}&size=square&width=480&demo=1`)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toBe(`inline; filename="${name}"`)
    expect(response.headers.get('content-encoding')).toBeNull()
    const bytes = await response.bytes()
    expect(readPictureHeader(format, bytes)).toMatchObject({ widthPx: 480, heightPx: 480 })
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
    const subtitle = 'x '.repeat(240).trim()
    const query = new URLSearchParams({ title: words, subtitle, overflow: 'ellipsis' })
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
    ...cases.refused,
    ...[
      ...(cases.wrong as [string, string, string][]),
      [`overflow=ellipsis&subtitle=${'x'.repeat(501)}`, 'subtitle', 'must be 0 to 500 characters, not 501'],
      [`overflow=ellipsis&author=${'x'.repeat(81)}`, 'author', 'must be 0 to 80 characters, not 81'],
    ].map(([query = '', parameter, message = '']) => ({
      name: `${query.slice(0, 40)} is refused by name`,
      url: `/api/og?title=a&${query}&demo=1`,
      expectedStatus: 400,
      expectedContent: [`"parameter":"${parameter}"`, message],
    })),
    ...themeNames.map((theme) => ({
      name: `the theme ${theme} draws`,
      url: `/api/og?title=a&theme=${theme}&demo=1`,
      expectedStatus: 200,
      expectedContent: ['<svg', '<path'],
      notExpectedContent: ['NaN', 'undefined', '<script', '<text', 'http://www.example'],
    })),
  ],
)

function anyContext(): RequestContext {
  const request = new Request('http://localhost/api/og')
  const { origin: baseUrl, pathname: path } = new URL(request.url)
  const standing = { id: 'a', startMs: 0, method: 'GET', rawQuery: '', clientAddress: '', logFields: {} }
  return {
    request,
    head: readHead(request),
    baseUrl,
    path,
    ...standing,
    waiter: new CallWaiter(() => request.signal),
    isUnmadeForHead: false,
    isFinished: false,
  }
}

test('a PNG that finds the queue full is answered with 503 busy and a time to come back', async () => {
  const raster = createDrawingPool({ waitingMax: 0 })
  const pictures = createPictureDrawer()
  const webPictures = { resolve: () => undefined, get: async () => undefined }
  const parts = { text: createTextEngine(), raster, brands: noBrands, pictures, webPictures }
  const { produce } = createOgProducer(parts)
  const context = anyContext()
  const query = {
    title: 'Cold starts',
    theme: 'paper',
    size: 'og',
    overflow: 'error',
    format: 'png',
  } as const
  try {
    const answers = await Promise.allSettled([produce(query, context), produce(query, context)])
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(answers.length - refusals.length).toBe(1)
    expect(refusals[0]).toBeInstanceOf(Problem)
    expect(refusals[0]).toMatchObject({ code: 'busy', status: 503, headers: { 'retry-after': '2' } })
  } finally {
    raster.close()
    pictures.close()
  }
})

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle cx="10" cy="10" r="10" fill="#e11d48"/><rect x="22" width="18" height="20" fill="#0f766e"/></svg>'

function dataUrl(type: string, bytes: string | Uint8Array): string {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
}

function card(logo: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const query = new URLSearchParams({ title: 'Design tokens', demo: '1', logo, ...more })
  return fetch(`${server.url}/api/og?${query}`)
}

async function usedToday(): Promise<number> {
  const stats = (await (await fetch(`${server.url}/api/stats`)).json()) as { demo: { used: number } }
  return stats.demo.used
}

describe('a logo in the URL of a card', () => {
  test('is drawn as shapes where it is an SVG of shapes', async () => {
    const response = await card(dataUrl('svg+xml', mark))
    expect(response.status).toBe(200)
    const svg = await response.text()
    expect(svg).toContain('#0f766e')
    expect(svg).not.toContain('<image')
  })

  test('is refused with what to do where it has text, also beside a gradient', async () => {
    const gradient = '<linearGradient id="g"><stop/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>'
    for (const body of ['<text>Acme</text>', `${gradient}<g><text>Acme</text></g>`]) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${body}</svg>`
      const response = await card(dataUrl('svg+xml', svg))
      expect(response.status).toBe(400)
      const errors = [{ parameter: 'logo', message: 'has text: turn it into outlines' }]
      expect(await response.json()).toMatchObject({ errors })
    }
  })

  test('is drawn as pixels that we encoded where it is a picture', async () => {
    const png = svgToPng(mark.replace('<svg ', '<svg width="40" height="20" '))
    const response = await card(dataUrl('png', png))
    expect(response.status).toBe(200)
    const svg = await response.text()
    expect([...svg.matchAll(/<image /g)]).toHaveLength(1)
    expect(svg).toContain('href="data:image/png;base64,')
    const pixels = await card(dataUrl('png', png), { format: 'png', width: '600' })
    expect(pixels.headers.get('content-type')).toBe('image/png')
  })

  test('names an icon, or the mistake says which one was meant', async () => {
    expect((await card('github')).status).toBe(200)
    const wrong = await card('githubb')
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({
      errors: [{ parameter: 'logo', message: expect.stringContaining('did you mean github?') }],
    })
  })

  test('is refused by its name where it cannot be drawn, and is not counted', async () => {
    const before = await usedToday()
    const wrong = [
      dataUrl('png', mark),
      dataUrl('svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      dataUrl('svg+xml', `<!DOCTYPE svg [<!ENTITY a "b">]>${mark}`),
      dataUrl('svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/"/></svg>'),
      dataUrl('svg+xml', mark + ' '.repeat(8192)),
      dataUrl('jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1])),
      dataUrl('gif', 'GIF89a'),
      'data:image/png;base64,',
      'data:text/html;base64,PHA+',
      'data:image/svg+xml;base64,%%%',
    ]
    for (const logo of wrong) {
      const response = await card(logo)
      expect(response.status, logo.slice(0, 60)).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'invalid_query', errors: [{ parameter: 'logo' }] })
    }
    expect(await usedToday()).toBe(before)
  })
})
