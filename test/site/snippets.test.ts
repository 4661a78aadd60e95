import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSignedUrls } from '../../src/site/playground/result.tsx'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'

const states = [
  `/?kind=og&title=${encodeURIComponent(`It's "quoted" & (odd) $HOME \`id\` é日`)}&format=png`,
  '/?kind=badge',
  '/?kind=avatar',
  '/?kind=stats',
  '/?kind=stats&format=json',
  '/?kind=sitemap&domain=example.com&crawl=false',
]

const folder = mkdtempSync(join(tmpdir(), 'mintmark-snippets-'))
const server = started(startService)
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

async function snippetsOf(path: string): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = []
  let id = ''
  const collect = new HTMLRewriter().on('.snips pre', {
    element(element) {
      id = element.getAttribute('class') ?? ''
      found.push([id, ''])
    },
    text({ text }) {
      const last = found.at(-1)
      if (last) last[1] += text
    },
  })
  await collect.transform(await fetch(server.url + path)).text()
  return Object.fromEntries(found.map(([name, code]) => [name, plainOf(code)]))
}

function plainOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}

async function bytesAt(url: string): Promise<Uint8Array> {
  const answer = await fetch(url)
  expect([url, answer.status]).toEqual([url, 200])
  return answer.bytes()
}

async function written(command: readonly string[], code: string): Promise<Uint8Array> {
  const process = Bun.spawn([...command], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  expect([await process.exited, await new Response(process.stderr).text()]).toEqual([0, ''])
  const [, name = ''] = /((?:og|badge|avatar|stats|sitemap|preview)\.(?:svg|png|json|txt))/.exec(code) ?? []
  const bytes = readFileSync(join(folder, name))
  rmSync(join(folder, name))
  return bytes
}

function src(html: string) {
  return plainOf(/(?:src|content)="(http[^"]+)"/.exec(html)?.[1] ?? '')
}
function isSteady(path: string) {
  return !path.includes('stats') && !path.includes('sitemap')
}

describe.each(sampleOf(states, 4))('the snippets of %s', (path) => {
  test('work as they stand, and all give the same', async () => {
    const { url = '', html, markdown, curl = '', typescript = '', python = '' } = await snippetsOf(path)
    const expected = await bytesAt(url)
    function same(bytes: Uint8Array) {
      return isSteady(path) ? expect(bytes).toEqual(expected) : expect(bytes.length).toBeGreaterThan(0)
    }
    if (html) same(await bytesAt(src(html)))
    if (markdown) same(await bytesAt(/\]\((http[^)]+)\)$/.exec(markdown)?.[1] ?? ''))
    same(await written(['sh', '-c', curl], curl))
    writeFileSync(join(folder, 'a.ts'), typescript)
    same(await written([process.execPath, 'a.ts'], typescript))
    if (Bun.which('python3')) {
      writeFileSync(join(folder, 'a.py'), python)
      same(await written(['python3', 'a.py'], python))
    }
  })
})

test.each(['/?kind=og&title=Hello&subtitle=%26', '/?kind=og&title=Hello&format=png'])(
  'the head tags of %s name a PNG, which every network shows',
  async (path) => {
    const { head = '', url = '' } = await snippetsOf(path)
    const answer = await fetch(src(head))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    const card = new URL(url)
    card.searchParams.set('format', 'png')
    expect(await bytesAt(String(card))).toEqual(await answer.bytes())
  },
)

test.each(states.slice(0, 3))(
  'the client’s snippet of %s makes a signed address of the same picture',
  async (path) => {
    const { client = '', url = '' } = await snippetsOf(path)
    expect(client).toStartWith(`// npm install ${server.url}/client.tgz\n`)
    const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
    const program = `${client.replace("'mintmark'", quoteOf('client/client.js'))}\nconsole.log(address)`
    writeFileSync(join(folder, 'client.ts'), program)
    const run = Bun.spawn([process.execPath, 'client.ts'], {
      cwd: folder,
      env: { ...process.env, MINTMARK_KEY: id, MINTMARK_SECRET: secret },
    })
    const address = (await new Response(run.stdout).text()).trim()
    expect(address).toContain(id)
    expect(await bytesAt(address)).toEqual(await bytesAt(url))
  },
)

function quoteOf(path: string): string {
  return JSON.stringify(join(import.meta.dir, '../..', path))
}

describe.each(sampleOf(states.slice(0, 3), 3))('the generators’ snippets of %s', (path) => {
  test('make an address that answers', async () => {
    const { astro = '', eleventy = '', hugo = '', url = '' } = await snippetsOf(path)
    const expected = await bytesAt(url)
    const [, script = '', image = ''] =
      /^---\n([\s\S]+)\n---\n<img src=\{(`.+`)\} alt=\{title\}>$/.exec(astro) ?? []
    expect(await bytesAt(new Function('Astro', `${script}\nreturn ${image}`)({ props: {} }))).toEqual(
      expected,
    )

    writeFileSync(join(folder, 'eleventy.config.js'), eleventy)
    let mint = (_: string): string => ''
    const config = { addShortcode: (_: string, make: typeof mint) => (mint = make) }
    const { default: configure } = await import(
      `${join(folder, 'eleventy.config.js')}?${encodeURIComponent(path)}`
    )
    configure(config)
    const title =
      new URL(url).searchParams.get(
        /kind=avatar/.test(path) ? 'name' : /badge/.test(path) ? 'label' : 'title',
      ) ?? ''
    expect(await bytesAt(mint(title))).toEqual(expected)

    const quoted = /querify (.+) \}\}/.exec(hugo)?.[1]?.match(/"(?:[^"\\]|\\.)*"|\.Title/g) ?? []
    const texts = quoted.map((word) => (word === '.Title' ? title : JSON.parse(word)))
    const pairs = texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1]]] : []))
    const base = /src="(http[^?]+)\?/.exec(hugo)?.[1]
    expect(await bytesAt(`${base}?${new URLSearchParams(pairs)}`)).toEqual(expected)
  })
})

const minuteMs = 60_000

describe('signed URLs of the playground', () => {
  const clock = { ms: 1_795_219_371_000, now: () => clock.ms }
  const signedUrls = createSignedUrls('key', clock)
  function parts(path: string) {
    return path.slice(path.indexOf('?') + 1)
  }

  test('are valid for at least five minutes and at most ten', () => {
    const issued = parts(signedUrls.sign('og', 'title=a'))
    expect(signedUrls.verify('og', issued)).toBe('title=a')
    clock.ms += 5 * minuteMs - 1
    expect(signedUrls.verify('og', issued)).toBe('title=a')
    clock.ms += 5 * minuteMs + 1
    expect(signedUrls.verify('og', issued)).toBeUndefined()
  })

  test('are invalid with any change', () => {
    const issued = parts(signedUrls.sign('og', 'title=a'))
    expect(signedUrls.verify('badge', issued)).toBeUndefined()
    expect(signedUrls.verify('og', issued.replace('title=a', 'title=b'))).toBeUndefined()
    expect(signedUrls.verify('og', `${issued}&title=b`)).toBeUndefined()
    expect(signedUrls.verify('og', issued.replace(/until=(\d)/, 'until=9'))).toBeUndefined()
    expect(signedUrls.verify('og', 'title=a')).toBeUndefined()
    expect(createSignedUrls('other', clock).verify('og', issued)).toBeUndefined()
    expect(signedUrls.verify('stats', parts(signedUrls.sign('stats', '')))).toBe('')
  })
})

describe('the quota of the playground', () => {
  const server = started(() =>
    startService({
      env: { PLAYGROUND_PER_IP_PER_DAY: '3', DEMO_DAILY_QUOTA: '2', TRUSTED_PROXIES: '127.0.0.1' },
    }),
  )

  async function ask(title: string, address = '127.0.0.1') {
    const headers = { 'x-forwarded-for': address }
    const page = await (await fetch(`${server.url}/?kind=og&title=${title}`, { headers })).text()
    const path = /src="(\/playground\/og[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    return { page, path }
  }

  test('counts equal queries once and others until it is used up, and its answers are private', async () => {
    const { path = '' } = await ask('one')
    const first = await fetch(server.url + path)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('private, max-age=300')
    expect(first.headers.get('x-auth-mode')).toBe('ticket')
    for (let again = 0; again < 5; again += 1) expect((await fetch(server.url + path)).status).toBe(200)
    expect((await ask('two')).path).toBeDefined()
    expect((await ask('three')).path).toBeDefined()
    const empty = await ask('four')
    expect(empty.path).toBeUndefined()
    expect(empty.page).toContain('Your address has had its previews for today')
    // The page itself, and previews of earlier texts, are still shown.
    expect((await fetch(server.url)).status).toBe(200)
    expect((await ask('two')).path).toBeDefined()
  })

  test('is of a /64, four times as much of a /56, and sixteen times of a /48', async () => {
    const shown = [0, 0, 0, 0, 0]
    for (let subnet = 0; subnet < 0x500; subnet += 0x10) {
      const { path } = await ask(`network-${subnet}`, `2001:db8:9:${subnet.toString(16)}::1`)
      if (path !== undefined) shown[subnet >> 8] = (shown[subnet >> 8] ?? 0) + 1
    }
    expect(shown).toEqual([12, 12, 12, 12, 0])
  })

  test('releases what a mistake took, and names the mistake', async () => {
    const { page } = await ask('x'.repeat(81))
    expect(page).toContain('must be 1 to 80 characters, not 81')
  })

  test('refuses URLs that the page did not sign', async () => {
    expect(
      (await fetch(`${server.url}/playground/og?title=a&until=9999999999&ticket=${'0'.repeat(32)}`)).status,
    ).toBe(404)
    expect((await fetch(`${server.url}/playground/og?title=a`)).status).toBe(404)
    expect(
      (await fetch(`${server.url}/playground/nosuch?until=9999999999&ticket=${'0'.repeat(32)}`)).status,
    ).toBe(404)
  })
})
