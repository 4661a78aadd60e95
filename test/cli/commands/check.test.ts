import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { comparisonText } from '../../../src/cli/commands/move.ts'
import { embedUrl } from '../../../src/client/embed-url.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { startService } from '../../support/service.ts'
import { started } from '../../support/started.ts'
import type { Files } from '../cards/site.ts'
import { mintmark, refusal } from '../support/mintmark.ts'

// Commands share a process, and wait for one another on a busy machine.
function siteWith(files: Files): string {
  const folder = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('a site with URLs of a server', () => {
  let pair = { key: '', secret: '' }
  const server = started(startService)
  beforeAll(async () => {
    const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
    pair = { key: id, secret }
  })

  test('which grants them all: exit 0, and nothing is counted', async () => {
    const card = await embedUrl(`${server.url}/api/og.png`, { title: 'A "card"' }, pair)
    const badge = await embedUrl(`${server.url}/api/badge`, { value: 'a b' }, pair, { form: 'query' })
    const folder = siteWith({
      'index.html': `<meta property="og:image" content="${card}"><img src='${badge.replaceAll('&', '&amp;')}'>`,
      'a/index.html': `<meta property="og:image" content="${card}"><a href=${server.url}/docs>x</a>`,
      'feed.json': JSON.stringify({ image: `${badge}` }).replaceAll('/', '\\/'),
    })
    const { exitCode, output, errors } = await mintmark(['check', folder, '--server', server.url])
    expect([exitCode, output, errors]).toEqual([0, `3 URLs of ${server.url}/, none refused\n`, ''])
    const usage = await (await fetch(`${server.url}/api/usage?key=${pair.key}`)).json()
    expect(usage.used).toBe(0)
  })

  test('which refuses some: each is listed once, with the reason and the files that name it', async () => {
    const card = await embedUrl(`${server.url}/api/og.png`, { title: 'Hello' }, pair)
    const changed = card.replace(/.(?=\.png)/, (digit) => (digit === '0' ? '1' : '0'))
    const wrong = `${server.url}/api/og.png?title=Hello&theme=papr&demo=1`
    const folder = siteWith({
      'index.html': `<img src="${changed}"><img src="${card}">`,
      'b/index.html': `<img src="${changed}">`,
      'style.css': `body { background: url(${wrong}) }`,
    })
    const { exitCode, lines } = await mintmark(['check', folder], { env: { MINTMARK_URL: server.url } })
    expect(exitCode).toBe(1)
    expect(lines.at(-1)).toBe(`3 URLs of ${server.url}/, 2 refused`)
    const told = lines.join('\n')
    expect(told).toMatch(/^(?:b\/)?index\.html and 1 more: 402 .*[Ss]ignature/m)
    expect(told).toMatch(/^style\.css: 400 invalid_query: theme must be one of/m)
    for (const url of [changed, wrong]) expect(lines.filter((line) => line === `  ${url}`)).toHaveLength(1)
    const json = JSON.parse((await mintmark(['check', folder, '--server', server.url, '--json'])).output)
    expect(json).toMatchObject({ server: `${server.url}/`, urls: 3 })
    expect(json.refused).toHaveLength(2)
    expect(json.refused[1]).toMatchObject({ status: expect.any(Number), files: expect.any(Array) })
  })
})

describe('what is asked', () => {
  const asked: string[] = []
  let busy = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method, url }) => {
      asked.push(`${method} ${url.slice(server.url.href.length)}`)
      if (url.endsWith('/busy') && busy++ === 0)
        return new Response(null, { status: 503, headers: { 'retry-after': '0' } })
      const location = redirects[new URL(url).pathname]
      if (location !== undefined) return new Response(null, { status: 302, headers: { location } })
      return new Response(null, { status: url.endsWith('/gone') ? 404 : 200 })
    },
  })
  const base = server.url.href.slice(0, -1)
  const foreign = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method, url }) => {
      asked.push(`${method} ${url}`)
      return new Response()
    },
  })
  const redirects: Readonly<Record<string, string>> = {
    '/away': `${foreign.url.href}away`,
    '/moved': '/gone',
    '/round': '/round',
  }
  afterAll(() => Promise.all([server.stop(true), foreign.stop(true)]))

  async function askedFor(files: Files, at = base) {
    asked.length = 0
    const { exitCode } = await mintmark(['check', siteWith(files), '--server', at])
    return { exitCode, asked: asked.toSorted() }
  }

  test('is every URL of the server once, however a file writes it', async () => {
    const names = {
      'a.html': `<a href="${base}/1">x</a> <img srcset="${base}/2 1x, ${base}/3 2x"> ${base}/4.`,
      'b.html': `<div data-x="{&quot;u&quot;:&quot;${base}/5?a=1&amp;b=(2)&quot;}" style="background:url(${base}/6)">`,
      'c.html': `<img src="//${server.url.host}/7#part"><img src="${base}/1">`,
      'd.md': `![x](${base}/8?a=(b)) and <${base}/9>`,
      'e.json': `{"a":"${base.replaceAll('/', '\\/')}\\/10?a=1\\u0026b=2"}`,
      'feed.xml': `<url>${base}/11?a=1&#38;b=2</url>`,
      'f.html': `<script>self.__next_f.push([1,"{\\"u\\":\\"${base}/12\\"}"])</script><a href="${base}">home</a>`,
      'g.html': Buffer.from(`\ufeff<a href="${base}/13">`, 'utf16le'),
    }
    const { exitCode, asked } = await askedFor(names)
    expect(exitCode).toBe(0)
    const paths = ' 1 10?a=1&b=2 11?a=1&b=2 12 13 2 3 4 5?a=1&b=(2) 6 7 8?a=(b) 9'.split(' ')
    expect(asked).toEqual(paths.map((path) => `HEAD ${path}`).toSorted())
  })

  test('is no other server, no script, no template, and nothing that is not published', async () => {
    const { exitCode, asked } = await askedFor({
      'a.html': `<a href="${base}1/x">x</a><a href="https://other.example/?u=${encodeURIComponent(base)}/y">`,
      'b.js': `fetch('${base}/script?title=' + title)`,
      'c.html': `<script>const u = \`${base}/api/og?title=\${title}\`</script>{{ ${base}/{{ x }} }}`,
      'node_modules/x/readme.md': `${base}/x`,
      '.git/x.txt': `${base}/x`,
    })
    expect([exitCode, asked]).toEqual([0, []])
  })

  test.each(['&', '&commat;', '&#64;', '&#x40;', '/?&#10;', '&period;', '&colon;', '&amp;', '&NewLine;'])(
    'is no other server, where %s stands behind the name of the server',
    async (between) => {
      const other = foreign.url.host
      const links = ['', '@', 'x@', ':x@'].map((end) => `<a href="${base}${between}${end}${other}/one">`)
      await askedFor({ 'a.html': links.join('') })
      expect(asked.filter((request) => request.includes(other) && request.includes('://'))).toEqual([])
    },
  )

  test.each([
    ['a port', '&colon;PORT/one'],
    ['a longer name', '&period;mintmark.invalid/one'],
    ['a user', '&commat;127.0.0.1:PORT/one'],
  ])('is no other server, where %s behind the name is written in entities', async (_, end) => {
    const url = `http://127.0.0.1${end.replace('PORT', String(foreign.port))}`
    const { exitCode, asked } = await askedFor({ 'a.html': `<a href="${url}">` }, 'http://127.0.0.1')
    expect([exitCode, asked]).toEqual([0, []])
  })

  test('is nothing of another server that the server redirects to', async () => {
    const { exitCode, asked } = await askedFor({
      'a.html': `<a href="${base}/away"><a href="${base}/moved">`,
    })
    expect([exitCode, asked]).toEqual([1, ['GET gone', 'HEAD away', 'HEAD gone', 'HEAD moved']])
  })

  test('ends where the server redirects for ever', async () => {
    const { exitCode, asked } = await askedFor({ 'a.html': `<a href="${base}/round">` })
    expect([exitCode, new Set(asked)]).toEqual([1, new Set(['HEAD round'])])
  })

  test('is below the path of the server alone', async () => {
    const paths = ['mint/1', 'mintmark', '2', 'mint/../3', 'mint/%2e%2E/4', 'mint/&period;./5']
    const files = { 'a.html': paths.map((path) => `<a href="${base}/${path}">`).join('') }
    expect((await askedFor(files, `${base}/mint/`)).asked).toEqual(['HEAD mint/1'])
  })

  test('is what files of the folder name, and no link is followed', async () => {
    const folder = siteWith({ 'index.html': `<a href="${base}/here">` })
    symlinkSync(siteWith({ 'a.html': `<a href="${base}/outside">` }), join(folder, 'outside'))
    for (const name of ['a', 'b', 'c']) symlinkSync('.', join(folder, name))
    asked.length = 0
    expect((await mintmark(['check', folder, '--server', base])).exitCode).toBe(0)
    expect(asked).toEqual(['HEAD here'])
  })

  test.each([[[]], [['--json']]])('is told without control characters of file names %p', async (words) => {
    const name = 'a\u001b]0;x\u0007\u202e\u009b2J\n\u2066b.html'
    const folder = siteWith({ [name]: `<a href="${base}/gone">` })
    const { output } = await mintmark(['check', folder, '--server', base, ...words])
    expect(output).toContain('a\\u001b]0;x\\u0007\\u202e\\u009b2J\\')
    expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    if (words.length > 0) expect(JSON.parse(output).refused[0].files).toEqual([name])
    else expect(output.trimEnd().split('\n')).toHaveLength(3)
  })

  test('is asked again where the server is busy, and for the reason where it refuses', async () => {
    const { exitCode, asked } = await askedFor({ 'a.html': `<a href="${base}/busy"><a href="${base}/gone">` })
    expect([exitCode, asked]).toEqual([1, ['GET gone', 'HEAD busy', 'HEAD busy', 'HEAD gone']])
  })
})

test.each([
  ['no server', [], {}, '--server or MINTMARK_URL must say'],
  ['user', ['--server', 'http://me:word@127.0.0.1:1'], {}, '--server must be an absolute http or https URL'],
  ['no URL', ['--server', 'mintmark.example'], {}, '--server must be an absolute http or https URL'],
  ['no server there', ['--server', 'http://127.0.0.1:1'], {}, 'http://127.0.0.1:1 does not answer'],
])('%s is told', async (_, words, env, message) => {
  const folder = siteWith({ 'a.html': '<a href="http://127.0.0.1:1/">' })
  const errors = await refusal(['check', folder, ...words], { env })
  expect(errors).toContain(message)
})

test('a folder that is not there is told', async () => {
  const errors = await refusal(['check', '/nonexistent', '--server', 'https://a.example'])
  expect(errors).toBe('/nonexistent: there is no such file or folder.\n')
  const strange = await mintmark(['check', '/none\u001b[2J\n', '--server', 'https://a.example'])
  expect(strange.errors).toBe('/none\\u001b[2J\\u000a: there is no such file or folder.\n')
})

test('counts and digests stand side by side, and what differs is named', () => {
  const side = (rows: number, digit: string) => ({ rows, sha256: digit.repeat(64) })
  const text = comparisonText([
    { table: 'keys', source: side(12, 'a'), target: side(12, 'a') },
    { table: 'payments', source: side(3, 'b'), target: side(3, 'c') },
  ])
  expect(text.split('\n')).toEqual([
    'table     rows  there  digest            there',
    'keys      12    12     aaaaaaaaaaaaaaaa  aaaaaaaaaaaaaaaa',
    'payments  3     3      bbbbbbbbbbbbbbbb  cccccccccccccccc  differs',
  ])
})
