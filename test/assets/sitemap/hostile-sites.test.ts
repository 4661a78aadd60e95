import { beforeAll, expect, test } from 'bun:test'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { buildBundle } from '../../../src/assets/sitemap/bundle-service.ts'
import { writeZip } from '../../../src/assets/sitemap/produce.ts'
import { parseRobots } from '../../../src/assets/sitemap/robots.ts'
import { createWebFetcher, type WebFetcher } from '../../../src/web/web-fetcher.ts'
import { stallMsMax, watchEventLoop } from '../../support/event-loop-lag.ts'
import { type HostileText, hostileTexts } from '../../support/hostile-texts.ts'
import { randomFrom } from '../../support/random.ts'
import { started } from '../../support/started.ts'
import { sampleOf, slowTest } from '../../support/test-size.ts'
import { startRawServer } from '../../web/support/raw-server.ts'

/** The site's answers by path. */
let answers: Readonly<Record<string, string>> = {}
let isCompressed = false
let fetcher: WebFetcher

const server = started(() =>
  startRawServer((socket, request) => {
    const path = request.split(' ')[1] ?? ''
    const text = answers[path] ?? answers['*'] ?? ''
    const body = isCompressed ? gzipSync(text, { level: 1 }) : Buffer.from(text)
    const type = path.includes('.') ? 'text/plain' : 'text/html'
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`)
    socket.end(body)
  }),
)
beforeAll(async () => {
  fetcher = createWebFetcher({
    userAgent: 'MintmarkBot/1',
    lookup: async (_, family) => (family === 4 ? [{ address: '93.184.216.34', ttl: 60 }] : []),
    openSocket: (_, port) => net.connect(port === 80 ? server.port : 1, '127.0.0.1'),
  })
})

function bundle() {
  return watchEventLoop(() =>
    buildBundle(
      { host: 'site.example.com', ai: 'deny', crawl: true },
      { fetcher, product: 'MintmarkBot', urlsMax: 5_000, pagesMax: 4 },
      0,
    ),
  )
}

const home = '<title>Home</title><a href="/a">A</a>'
function robots(text: string) {
  return `User-agent: *\nAllow: /\n${text}`
}

test.each(sampleOf(hostileTexts, 32).map(({ id, text }) => [id, text] as const))(
  'a site of %s gets its files and lets others run',
  async (_, text) => {
    const body = text()
    for (const site of [
      { '*': body },
      { '*': body, '/robots.txt': robots(body), '/': home, '/llms.txt': `# Site\n${body}` },
    ]) {
      answers = site
      isCompressed = !isCompressed
      const { value, stallMs } = await bundle()
      expect(value.sitemap).toEndWith('</urlset>\n')

      expect(stallMs).toBeLessThan(stallMsMax)
    }
  },
)

function many(count: number, line: (index: number) => string) {
  return Array.from({ length: count }, (_, at) => line(at)).join('')
}

const robotsTexts = [
  ['as many rules as a file can hold', many(30_000, (at) => `Allow: /${at}\n`)],
  ['rules that match nearly', many(10_000, (at) => `Disallow: /*${'a'.repeat(20)}${at}$\n`)],
  ['rules of stars', many(1_500, () => `Disallow: /${'*a'.repeat(150)}\n`)],
  ['rules of escapes', many(100, () => `Disallow: /${'%c3%a9'.repeat(800)}\n`)],
  ['agents', many(30_000, (at) => `User-agent: b${at}\n`)],
  ['sitemaps', many(12_000, (at) => `Sitemap: https://other.example.com/${at}.xml\n`)],
  ['empty lines', '\n'.repeat(500_000)],
  ['spaces', `${' '.repeat(200_000)}Disallow${' '.repeat(200_000)}`],
] as const
test.each(sampleOf(robotsTexts, 12))(
  'a site whose robots.txt is made of %s gets its files and lets others run',
  async (_, text) => {
    const urls = many(20_000, (at) => `<url><loc>http://site.example.com/${'a'.repeat(30)}${at}</loc></url>`)
    answers = { '*': home, '/robots.txt': robots(text), '/sitemap.xml': `<urlset>${urls}</urlset>` }
    isCompressed = false
    const { value, stallMs } = await bundle()
    expect(value.sitemap).toEndWith('</urlset>\n')

    expect(stallMs).toBeLessThan(stallMsMax)
  },
)

slowTest('the longest sitemap is written and packed while others run', async () => {
  const urls = many(2_700, (at) => `http://site.example.com/${at}${'é'.repeat(300)}/${'/'.repeat(60)}\n`)
  answers = {
    '*': home,
    '/robots.txt': robots('Sitemap: http://site.example.com/sitemap.txt'),
    '/sitemap.txt': urls,
  }
  isCompressed = true
  const { value, stallMs } = await bundle()
  expect(value.counts.urls).toBeGreaterThan(1_000)

  expect(stallMs).toBeLessThan(stallMsMax)
  const zip = await watchEventLoop(() =>
    writeZip([{ name: 'sitemap.xml', content: Buffer.from(value.sitemap) }]),
  )
  expect(zip.stallMs).toBeLessThan(stallMsMax)
})

test('a path is looked up in a robots.txt in bounded work', async () => {
  const rules = await parseRobots(robots(many(30_000, () => 'Disallow: /*a*b*c$\n')), 'x')
  const { stallMs } = await watchEventLoop(() => rules.allows(`/${'abc'.repeat(600)}`))

  expect(stallMs).toBeLessThan(stallMsMax)
})

/** Texts of pieces that parsers react to, in no order that anybody meant. */
const pieces = [
  '<', '>', '</', '/>', '<!--', '-->', '<![CDATA[', ']]>', '<?', '"', "'", '&amp;', '&#', ';', '\n', ' ', '\0',
  '<url>', '<loc>', '</loc>', '</url>', '<title>', '</title>', '<script type="application/ld+json">', '</script>',
  '{', '}', '[', ']', ':', ',', '\\', 'User-agent: *\n', 'Disallow: /', 'Sitemap: ', '*', '$', '%', '#', '# ', '(',
  'http://site.example.com/', '<meta charset=', '<meta property="og:image" content="', '<a href="/', '</head>', 'é',
] as const // biome-ignore format: one list

const randomTexts: readonly HostileText[] = Array.from({ length: 40 }, (_, seed) => ({
  id: `seed ${seed}`,
  text() {
    const { below, pick } = randomFrom(seed)
    const few = Array.from({ length: 2 + below(8) }, () => pick(pieces))
    let text = ''
    while (text.length < 400_000) text += pick(few).repeat(1 + below(below(10) === 0 ? 5_000 : 5))
    return text
  },
}))

test.each(sampleOf(randomTexts, 32).map(({ id, text }) => [id, text] as const))(
  'a site of random markup (%s) gets its files and lets others run',
  async (_, text) => {
    const body = text()
    answers = { '*': body, '/robots.txt': robots(body) }
    isCompressed = false
    const { value, stallMs } = await bundle()
    expect(value.sitemap).toEndWith('</urlset>\n')

    expect(stallMs).toBeLessThan(stallMsMax)
  },
)
