import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { assets } from '../../src/catalog.ts'
import { settings } from '../../src/config.ts'
import { formatMicros } from '../../src/lib/human-format.ts'
import { decodePng } from '../support/png-decode.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { startWithSite } from './support/live-site.ts'

const root = join(import.meta.dir, '../..')
const files = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const readme = readFileSync(join(root, 'README.md'), 'utf8')

interface Block {
  readonly file: string
  readonly language: string
  readonly code: string
}

const blocks: readonly Block[] = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', code = '']) => ({ file, language, code }),
  ),
)

function isRunnable({ language, code }: Block) {
  return (
    language === 'sh' &&
    code
      .trim()
      .split('\n')
      .every((line) => /^(#.*|curl .*http:\/\/localhost:3000.*)$/.test(line))
  )
}

function titleOf({ file, code }: Block) {
  return `${file}: ${code.trim().split('\n')[0]}`
}

describe('documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-documents-'))
  const house = started(startWithSite)
  afterAll(async () => {
    rmSync(folder, { recursive: true })
  })

  test.each(blocks.filter(isRunnable).map((block) => [titleOf(block), block] as const))(
    '%s runs',
    async (_, { code }) => {
      const here = code
        .replaceAll('http://localhost:3000', house.server.url)
        .replaceAll('https://example.com/', house.pageUrl)
      const ran = Bun.spawn(['bash', '-ec', here], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
      const [status, complaint] = [await ran.exited, await new Response(ran.stderr).text()]
      expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
    },
  )

  test('the lines of HTML in the README show pictures of a new server', async () => {
    const html = blocks.filter(({ file, language }) => file === 'README.md' && language === 'html')
    const lines = html.map(({ code }) => code).join('')
    expect(lines).toMatch(/<meta property="og:image" content="http.*\n<img src="http/)
    for (const [, url = ''] of lines.matchAll(/"http:\/\/localhost:3000([^"]+)"/g)) {
      const answer = await fetch(house.server.url + url.replaceAll('&amp;', '&'))
      expect([url, answer.status, answer.headers.get('content-type')]).toEqual([
        url,
        200,
        expect.stringMatching(/^image\//),
      ])
    }
  })
})

test('the quick start runs a line for every asset', () => {
  const runnable = blocks
    .filter((block) => block.file === 'docs/quick-start.md' && isRunnable(block))
    .map(({ code }) => code)
    .join()
  for (const { path } of assets) expect(runnable).toContain(path)
})

const scripts = blocks.filter(
  (block) => ['sh', 'js', 'ts', 'tsx'].includes(block.language) && !isRunnable(block),
)

test.each(scripts.map((block) => [titleOf(block), block] as const))(
  '%s is well formed',
  async (_, { language, code }) => {
    if (language !== 'sh') {
      expect(() =>
        new Bun.Transpiler({ loader: language === 'js' ? 'js' : 'tsx' }).transformSync(code),
      ).not.toThrow()
      return
    }
    const checked = Bun.spawn(['bash', '-n'], { stdin: new Blob([code]), stderr: 'pipe' })
    expect([await checked.exited, await new Response(checked.stderr).text()]).toEqual([0, ''])
  },
)

test('every link between documents leads to a file', () => {
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)/g))
      expect([file, target, existsSync(join(root, dirname(file), target))]).toEqual([file, target, true])
  }
})

test('the README says what is true of prices and quotas, and its picture is light', () => {
  for (const { priceMicros } of assets)
    if (priceMicros !== undefined) expect(readme).toContain(formatMicros(priceMicros))
  expect(readme).toContain(`${Number(settings.DEMO_DAILY_QUOTA.default).toLocaleString('en')} calls a day`)
  expect(readme).toContain(`${settings.KEY_DAILY_QUOTA.default} a day for each key`)
  expect(statSync(join(root, 'docs/cards.png')).size).toBeLessThan(300_000)
})

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
      '/docs/signed-urls',
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

async function bytesOf(path: string, contentType: string): Promise<Buffer> {
  const answer = await fetch(server.url + path)
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, contentType])
  return Buffer.from(await answer.arrayBuffer())
}

test('favicon.ico has a picture for each side that it names, whole and with something on it', async () => {
  const file = await bytesOf('/favicon.ico', 'image/x-icon')
  const count = file.readUInt16LE(4)
  expect([file.readUInt16LE(0), file.readUInt16LE(2), count]).toEqual([0, 1, 3])
  const sides = Array.from({ length: count }, (_, index) => {
    const entry = 6 + 16 * index
    const [length, offset] = [file.readUInt32LE(entry + 8), file.readUInt32LE(entry + 12)]
    const png = file.subarray(offset, offset + length)
    expect(png.subarray(12, 16).toString()).toBe('IHDR')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([file[entry], file[entry + 1]] as number[])
    expect(png.subarray(-8, -4).toString()).toBe('IEND')
    return file[entry]
  })
  expect(sides).toEqual([16, 32, 48])
})

test('the icon of a home screen has no transparent corner, and the SVG is the mark', async () => {
  const png = await bytesOf('/apple-touch-icon.png', 'image/png')
  const drawn = decodePng(png)
  expect([drawn.widthPx, drawn.heightPx]).toEqual([180, 180])
  expect([...drawn.rgba.subarray(0, 4)]).toEqual([0x2f, 0x4b, 0xc9, 255])
  expect((await bytesOf('/icon.svg', 'image/svg+xml')).toString()).toStartWith('<svg ')
})

async function textOf(path: string, { url } = server): Promise<string> {
  return await (await fetch(url + path)).text()
}
async function figure(label: string, at = server): Promise<string | undefined> {
  return new RegExp(`<dt>${label}</dt><dd><b class="num">([^<]*)<`).exec(await textOf('/status', at))?.[1]
}

test('a figure that was not measured yet is no number, on the page, in the JSON and on a badge', async () => {
  for (const metric of ['p99', 'cache_hit_ratio']) {
    const fresh = await startService()
    expect(await figure('p99 latency', fresh)).toBe('–')
    expect(await figure('Cache hit ratio', fresh)).toBe('–')
    const stats = JSON.parse(await textOf(`/api/stats?format=endpoint&metric=${metric}`, fresh))
    expect([metric, stats.message]).toEqual([metric, 'no data'])
    await fresh.stop()
  }
  const fresh = await startService()
  const { latency_ms } = JSON.parse(await textOf('/api/stats', fresh))
  expect(latency_ms).toEqual({ p50: null, p90: null, p99: null })
  await fresh.stop()
})

test('a figure that was measured is shown with its unit', async () => {
  for (let n = 0; n < 2; n += 1) await textOf('/api/badge?value=ok&demo=1')
  expect(await figure('p99 latency')).toMatch(/^[\d.]+ m?s$/)
  expect(await figure('Cache hit ratio')).toMatch(/^\d+ %$/)
  expect(JSON.parse(await textOf('/api/stats')).latency_ms.p99).toBeGreaterThan(0)
})

test('the days of the week are dates as people write them', async () => {
  await textOf('/api/badge?value=ok&demo=1')
  const html = await textOf('/status')
  expect(html.match(/<tr><td>\d{1,2} [A-Z][a-z]+<\/td>/g)).toHaveLength(7)
})
