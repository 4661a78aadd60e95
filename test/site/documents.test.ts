import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { assets } from '../../src/catalog.ts'
import { settings } from '../../src/config.ts'
import { formatMicros } from '../../src/lib/human-format.ts'
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
    ([, language = '', code = '']) => ({
      file,
      language,
      code,
    }),
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

test('the README runs a line for every asset', () => {
  const runnable = blocks
    .filter((block) => block.file === 'README.md' && isRunnable(block))
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
