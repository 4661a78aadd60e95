import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { runtimes } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { isEmbed, vectors, vectorsPath } from '../vectors/vectors.ts'

// Processes start slowly on a busy machine.
setDefaultTimeout(60_000)

const bundle = join(temporaryDirectory(), 'client.mjs')
const pair = { key: 'mk_2345678abcdefghj', secret: 'a'.repeat(64) }

beforeAll(async () => {
  const entry = join(import.meta.dir, '../../src/client/index.ts')
  const built = await Bun.build({ entrypoints: [entry], minify: true, target: 'browser' })
  await Bun.write(bundle, built.outputs[0] ?? '')
})

describe('the bundled client', () => {
  test('is smaller than 2 KB', () => {
    expect(Bun.file(bundle).size).toBeGreaterThan(200)
    expect(Bun.file(bundle).size).toBeLessThan(2_048)
  })

  test.each([
    ['Bun', runtimes.bun],
    ['Deno', runtimes.deno],
    ['Node', ['node']],
  ])('signs the published vectors on %s', async (_, command) => {
    const script = join(import.meta.dir, 'children/sign.mjs')
    const child = Bun.spawn([...command, script, bundle, vectorsPath], { stdout: 'pipe', stderr: 'inherit' })
    const urls: string[] = JSON.parse(await new Response(child.stdout).text())
    for (const [i, vector] of vectors.entries()) {
      if (isEmbed(vector)) expect(urls[i]).toBe(`https://mintmark.example${vector.url}`)
      else
        expect(urls[i]).toBe(
          `https://mintmark.example${vector.path}?key=mk_x&t=${vector.t}&sig=${vector.sig}`,
        )
    }
    expect(urls).toHaveLength(vectors.length)
  })
})

test.each([
  ['Bun', runtimes.bun],
  ['Deno', runtimes.deno],
  ['Node', ['node']],
])('the package gives the client by its name on %s', async (_, command) => {
  const root = join(import.meta.dir, '../..')
  await Bun.spawn([process.execPath, 'run', 'build:client'], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'ignore',
  }).exited
  const child = Bun.spawn([...command, join(import.meta.dir, 'children/by-name.mjs')], {
    cwd: root,
    stdout: 'pipe',
  })
  expect(await new Response(child.stdout).text()).toBe('embedUrl,signUrl\n')
})

describe('embedUrl', () => {
  test('gives the same URL whatever order the parameters have', async () => {
    const endpoint = 'https://mintmark.example/api/og'
    const one = await embedUrl(endpoint, { title: 'A', author: 'B' }, pair, { exp: 2_000_000_000 })
    const other = await embedUrl(endpoint, { author: 'B', title: 'A' }, pair, { exp: 2_000_000_000 })
    expect(one).toBe(other)
  })

  test('takes parameters from the endpoint too, leaves undefined ones out and writes the rest as text', async () => {
    const endpoint = 'https://mintmark.example/api/transform?kind=avatar'
    const parameters = { name: 'Ada', size: 64, bold: true, seed: undefined }
    const { searchParams } = new URL(await embedUrl(endpoint, parameters, pair))
    searchParams.delete('sig')
    searchParams.delete('exp')
    expect(Object.fromEntries(searchParams)).toEqual({
      bold: 'true',
      key: pair.key,
      kind: 'avatar',
      name: 'Ada',
      size: '64',
    })
  })

  test('is good for a year unless another end is given', async () => {
    const { searchParams } = new URL(await embedUrl('https://mintmark.example/api/og', { title: 'A' }, pair))
    const days = (Number(searchParams.get('exp')) - Date.now() / 1000) / 86_400
    expect(Math.round(days)).toBe(365)
  })

  test('survives half of a surrogate pair', async () => {
    const url = await embedUrl('https://mintmark.example/api/og', { title: 'a\ud800' }, pair)
    expect(new URL(url).searchParams.get('title')).toBe('a\ufffd')
  })

  test('is not changed by what a browser does to a URL', async () => {
    const title = `'"<>\\^\`{|} #?&=+~* é 日本 👩‍🚀`
    const url = await embedUrl('https://mintmark.example/api/og', { title }, pair)
    expect(new URL(url).href).toBe(url)
  })
})

describe('signUrl', () => {
  test('keeps the other parameters, and signs again what was signed before', async () => {
    const first = await signUrl('https://mintmark.example/api/og?title=A%20b', pair, { t: 1 })
    const second = new URL(await signUrl(first, pair, { t: 2 }))
    expect(second.searchParams.get('title')).toBe('A b')
    expect(second.searchParams.getAll('t')).toEqual(['2'])
    expect(second.searchParams.getAll('sig')).toHaveLength(1)
  })
})
