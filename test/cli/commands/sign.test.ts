import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAccess, outcome } from '../../access/temporary-access.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { rareText } from '../../support/rare-texts.ts'
import { readAddress } from '../../support/read-address.ts'
import { startService } from '../../support/service.ts'
import { sampleOf } from '../../support/test-size.ts'
import { mintmark, refusal } from '../support/mintmark.ts'
import refusedWords from './sign-refused.json' with { type: 'json' }

const directory = temporaryDirectory()
const pair = ['--key', 'mk_2345678abcdefghj', '--secret', 'b'.repeat(64)]
const badge = ['--path', '/api/badge', '--value', 'ok']

describe('the sign command', () => {
  test('prints an address that is granted, with HTML and Markdown that show it', async () => {
    const server = await startService()
    try {
      const title = 'Ada & "Bob" [1]'
      const env = await signingEnvironment(server.url)
      const { lines } = await mintmark(['sign', '--title', title], { env })
      const [url = '', image, meta, markdown] = lines
      expect(readAddress(url)).toMatchObject({ service: server.url, asset: 'og', ext: 'svg' })
      expect(await granted(url)).toEqual([200, 'key'])
      expect(image).toBe(`<img src="${url}" alt="Ada &amp; &quot;Bob&quot; [1]">`)
      const card = /^<meta property="og:image" content="([^"]+)">$/.exec(meta ?? '')?.[1] ?? ''
      expect(readAddress(card).ext).toBe('png')
      expect(await granted(card)).toEqual([200, 'key'])
      expect(markdown).toBe(`![Ada & "Bob" \\[1\\]](${url})`)
    } finally {
      await server.stop()
    }
  })

  test('with --form query prints an address whose parameters are in the query', async () => {
    const access = await openAccess()
    access.clock.nowMs = Date.now()
    const { key, secret } = await access.keys.create()
    const words = ['--form', 'query', '--key', key.id, `--secret=${secret}`, '--title', 'Ada & Bob']
    const { lines } = await mintmark(['sign', ...words, '--base', 'https://mintmark.example'])
    const [url = '', image, meta] = lines
    expect(url).toStartWith('https://mintmark.example/api/og?exp=')
    expect(outcome(await access.call(url))).toBe('key')
    expect(image).toContain(`src="${url.replaceAll('&', '&amp;')}"`)
    const card = /content="([^"]+)"/.exec(meta ?? '')?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(new URL(card).pathname).toBe('/api/og.png')
    expect(outcome(await access.call(card))).toBe('key')
  })

  test('has head tags for cards alone, and as PNG whatever the format', async () => {
    const { output } = await mintmark(['sign', ...pair, '--title', 'Hello', '--format', 'svg'])
    expect(output).toMatch(/og:image" content="[^"]+\/i\/og\/mk_2345678abcdefghj\/dGl0bGU9SGVsbG8\/\w+\.png"/)
    expect((await mintmark(['sign', ...pair, ...badge])).output).not.toContain('og:image')
  })

  test('signs any asset, for as long as it is told', async () => {
    const words = [...pair, '--path', '/api/transform?kind=badge', '--value', 'ok', '--days', '2']
    const [url = ''] = (await mintmark(['sign', ...words])).lines
    const { asset, parameters } = readAddress(url)
    expect([asset, [...parameters.keys()]]).toEqual(['badge', ['exp', 'value']])
    expect(Math.round((Number(parameters.get('exp')) - Date.now() / 1000) / 86_400)).toBe(2)
    const exp = String(Math.floor(Date.now() / 1000) + 86_400)
    const [until = ''] = (await mintmark(['sign', ...pair, '--title', 'Hello', '--exp', exp])).lines
    expect(readAddress(until).parameters.getAll('exp')).toEqual([exp])
  })

  test('lets the service cut a title that is too long for a card, unless told otherwise', async () => {
    const title = 'x'.repeat(100)
    const [url = '', , , markdown] = (await mintmark(['sign', ...pair, '--title', title])).lines
    const { parameters } = readAddress(url)
    expect([parameters.get('title'), parameters.get('overflow')]).toEqual([title, 'ellipsis'])
    expect(markdown).toBe(`![${title}](${url})`)
  })

  test('takes the key and the service, which may have a path, from the environment', async () => {
    const env = {
      MINTMARK_KEY: 'mk_2345678abcdefghj',
      MINTMARK_SECRET: 'c'.repeat(64),
      MINTMARK_URL: 'https://cards.example/mint',
    }
    const [url = ''] = (await mintmark(['sign', '--title', 'Hello'], { env })).lines
    expect(readAddress(url)).toMatchObject({ service: 'https://cards.example/mint', key: env.MINTMARK_KEY })
  })
})

describe('the brand of a signed address', () => {
  const wanted = [...pair, '--title', 'Hello']

  async function brandIn(words: readonly string[], environment: Readonly<Record<string, string>>) {
    const { lines, errors } = await mintmark(['sign', ...wanted, ...words], { env: environment })
    return errors === '' ? readAddress(lines[0] ?? '').parameters.get('brand') : errors.trim()
  }

  /** An installation with two revisions of a brand, and the folder of the second. */
  async function twoRevisions(name: string) {
    const brandFolder = join(directory, name, 'acme')
    const env = { DATA_DIR: join(directory, name, 'data') }
    mkdirSync(brandFolder, { recursive: true })
    for (const footer of ['One', 'Two']) {
      const brand = { name: 'Acme', slug: 'acme', footer }
      writeFileSync(join(brandFolder, 'brand.json'), JSON.stringify(brand))
      expect(await mintmark(['brand', 'import', brandFolder], { env })).toMatchObject({ exitCode: 0 })
    }
    return { env, brandFolder }
  }

  test('has its revision where the database or its folder says it, else it stays as it was given', async () => {
    const nowhere = { DATA_DIR: join(directory, 'nothing') }
    expect(await brandIn(['--brand', 'acme'], nowhere)).toBe('acme')
    const { env, brandFolder } = await twoRevisions('one by one')
    expect(await brandIn(['--brand', 'acme'], env)).toBe('acme@2')
    expect(await brandIn(['--brand', 'acme@1'], env)).toBe('acme@1')
    expect(await brandIn(['--brand', 'nobody'], env)).toContain('there is no brand nobody')
    expect(await brandIn(['--brand', 'acme@3'], env)).toContain('acme has 1 to 2, not 3')
    // A folder that nobody exported says no revision; the database does.
    expect(await brandIn(['--brand', brandFolder], nowhere)).toBe('acme')
    expect(await brandIn(['--brand', brandFolder], env)).toBe('acme@2')
    const exported = join(directory, 'exported')
    expect(await mintmark(['brand', 'export', 'acme@1', exported], { env })).toMatchObject({ exitCode: 0 })
    expect(await brandIn(['--brand', exported], nowhere)).toBe('acme@1')
    expect(await mintmark(['brand', 'import', exported], { env })).toMatchObject({ exitCode: 0 })
  })

  test('has its revision in each row of a file', async () => {
    const { env } = await twoRevisions('of a file')
    const csv = join(directory, 'branded.csv')
    writeFileSync(csv, 'title,brand\nOne,acme\nTwo,acme@1\n')
    const { output } = await mintmark(['sign', ...pair, '--from', csv], { env })
    const { urls } = JSON.parse(output)
    const expected = ['acme@2', 'acme@1']
    expect(urls.map(({ url }: { url: string }) => readAddress(url).parameters.get('brand'))).toEqual(expected)
  })
})

async function signingEnvironment(service: string): Promise<Readonly<Record<string, string>>> {
  const { id, secret } = await (await fetch(`${service}/api/key`)).json()
  return { MINTMARK_URL: service, MINTMARK_KEY: id, MINTMARK_SECRET: secret }
}

async function granted(url: string): Promise<readonly [number, string | null]> {
  const answer = await fetch(url)
  return [answer.status, answer.headers.get('x-auth-mode')]
}

/** Valid, and three times as long where it is encoded. */
const longLinks = ['1', '2'].flatMap((end) => ['--link', `https://a.b/${':'.repeat(2_000)}${end}`])
const tomorrow = String(Math.floor(Date.now() / 1000) + 86_400)

const refused: [string, string[], string][] = [
  ...(refusedWords as [string, string[], string][]),
  ['exp twice', ['--title', 'a', '--exp', tomorrow, '--exp', tomorrow], 'It is given twice'],
  ['exp in the path and an option', ['--path', `/api/og?exp=${tomorrow}`, '--title', 'a'], '--exp'],
  ['exp beside days', ['--title', 'a', '--exp', tomorrow, '--days', '2'], 'give one of them'],
  ['exp in milliseconds', ['--title', 'a', '--exp', String(Date.now())], 'not milliseconds'],
  [
    'a title of 100 characters that is not to be cut',
    ['--title', 'x'.repeat(100), '--overflow', 'error'],
    '--title must be 1 to 80 characters, not 100',
  ],
  ['301 characters', ['--title', 'x'.repeat(301)], '--title must be 1 to 300 characters, not 301'],
  [
    'an address longer than programs on the way take',
    [...badge, ...longLinks, '--title', '🚀'.repeat(300), '--label', '🚀'.repeat(100)],
    'at most 8000',
  ],
]

test.each<readonly [string, readonly string[], string]>([
  ['no key', ['--secret', 'x', '--title', 'Hello'], 'GET /api/key'],
  ['a wrong key id', ['--key', 'two words', '--secret', 's', '--title', 'a'], '--key must be a key id'],
  ...sampleOf(refused, 6).map(([name, words, message]) => [name, [...pair, ...words], message] as const),
])('sign refuses %s, and says why', async (_, words, message) => {
  const errors = await refusal(['sign', ...words])
  expect(errors).toContain(message)
})

describe('sign --from', () => {
  const csv = join(directory, 'rows.csv')

  test('writes a manifest of URLs that the server grants, for cards, badges and avatars', async () => {
    const server = await startService()
    try {
      const env = await signingEnvironment(server.url)
      const rows = [',one,Ada & Bob,,,', 'badge,two,,build,ok,', 'avatar,three,,,,Ada']
      writeFileSync(csv, ['kind,slug,title,label,value,name', ...rows, ''].join('\n'))
      const out = join(directory, 'urls.json')
      const signed = await mintmark(['sign', '--from', csv, '--out', out, '--format', 'png'], { env })
      expect(signed).toMatchObject({ exitCode: 0, output: '', errors: '' })
      const { urls } = JSON.parse(readFileSync(out, 'utf8'))
      expect(urls.map(({ line, row }: { line: number; row: { slug: string } }) => [line, row.slug])).toEqual([
        [2, 'one'],
        [3, 'two'],
        [4, 'three'],
      ])
      for (const { url } of urls) {
        expect(await granted(url)).toEqual([200, 'key'])
        expect((await fetch(url)).headers.get('content-type')).toBe('image/png')
      }
    } finally {
      await server.stop()
    }
  })

  test('names file, line and parameter of every wrong row, and prints nothing else', async () => {
    writeFileSync(
      csv,
      `title,theme\nHello,paper\n${'x'.repeat(301)},paper\nHi,pink\n${rareText('ja', 200)},plain\n`,
    )
    const errors = await refusal(['sign', ...pair, '--from', csv])
    expect(errors.trim().split('\n')).toEqual([
      `${csv}:3: title must be 1 to 300 characters, not 301`,
      `${csv}:4: theme must be one of aurora, paper, grid, poster, terminal, plain`,
      expect.stringMatching(/rows.csv:5: title has characters of \d+ font files/),
    ])
    const alone = await mintmark(['sign', ...pair, '--title', rareText('ja', 80), '--lang', 'ja'])
    expect([alone.exitCode, alone.output]).toEqual([1, ''])
    expect(alone.errors).toMatch(/--title has characters of \d+ font files/)
  })
})
