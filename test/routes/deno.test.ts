import { expect, test } from 'bun:test'
import { themeNames } from '../../src/assets/og/themes.ts'
import corpus from '../fixtures/cards.json'
import { decodePng } from '../support/png-decode.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import tables from './deno.json' with { type: 'json' }

const env = { DEMO_DAILY_QUOTA: '100000' }
const bun = started(() => startServer({ env }))
const deno = started(() => startServer({ env, runtime: 'deno' }))

/** Lone surrogates cannot stand in a URL: clients send U+FFFD for them. */
function pathOf(
  { id: _, ...words }: Readonly<Record<string, string>>,
  more: Record<string, string> = {},
): string {
  return `/api/og?${new URLSearchParams({ ...words, ...more, demo: '1' })}`
}

async function both(path: string, headers: Record<string, string> = {}): Promise<[Response, Response]> {
  return Promise.all([fetch(bun.url + path, { headers }), fetch(deno.url + path, { headers })])
}

test('Deno serves the same bytes as Bun for every text of the corpus', async () => {
  expect(corpus.cases.length).toBeGreaterThan(20)
  for (const [index, words] of corpus.cases.entries()) {
    const path = pathOf(words as Record<string, string>, {
      theme: themeNames[index % themeNames.length] ?? 'aurora',
    })
    const [one, other] = await both(path)
    expect([path, one.status, other.status]).toEqual([path, 200, 200])
    expect(other.headers.get('etag')).toBe(one.headers.get('etag'))
    expect([path, await other.text()]).toEqual([path, await one.text()])
  }
})

test.each(themeNames)('a PNG of the theme %s has the same pixels on both', async (theme) => {
  const [one, other] = await both(
    pathOf({ title: 'Same pixels 🚀', subtitle: 'مرحبا, 你好' }, { theme, format: 'png', width: '600' }),
  )
  async function pixels(response: Response) {
    return decodePng(new Uint8Array(await response.arrayBuffer()))
  }
  const [expected, actual] = [await pixels(one), await pixels(other)]
  expect([actual.widthPx, actual.heightPx]).toEqual([expected.widthPx, expected.heightPx])
  expect(Buffer.compare(actual.rgba, expected.rgba)).toBe(0)
})

test.each(tables.paths)('%s is answered with the same headers on both', async (_, path) => {
  const volatile = tables.volatile
  const answers = await both(path, { 'accept-encoding': 'identity' })
  const [one, other] = answers.map(({ status, headers }) => ({
    status,
    headers: [...headers].filter(([name]) => !volatile.includes(name)).sort(),
  }))
  const bodies = answers.map(async (answer) =>
    (await answer.text()).replaceAll(bun.url, '').replaceAll(deno.url, ''),
  )
  const [body, otherBody] = await Promise.all(bodies)
  expect([other, otherBody]).toEqual([one, body])
})
