import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { startService } from '../../support/service.ts'
import { started } from '../../support/started.ts'

/** A URL of a README, with the size and the texts that shields.io's own library draws for it. */
interface ShieldsCase {
  readonly u: string
  readonly w: number
  readonly h: number
  readonly t: readonly string[]
}

const server = started(() => startService({ env: { DEMO_DAILY_QUOTA: '100000' } }))

function lines(file: string): string[] {
  const text = readFileSync(new URL(`../../fixtures/compatibility-urls/${file}`, import.meta.url), 'utf8')
  return text.trim().split('\n')
}

/** The URL with nothing changed but the host. */
function moved(url: string): Promise<Response> {
  return fetch(server.url + url.replace(/^https?:\/\/[^/]+/, ''))
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&',
}

function textsOf(svg: string): string[] {
  const texts = [...svg.matchAll(/<text(?![^>]*(?:aria-hidden|fill-opacity))[^>]*>([^<]*)<\/text>/g)]
  return texts.map(([, text = '']) => text.replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole))
}

describe('URLs out of public READMEs, with nothing changed but the host', () => {
  test('of shields.io have its texts, and nearly all its width', async () => {
    const cases = lines('shields.jsonl').map((line): ShieldsCase => JSON.parse(line))
    expect(cases.length).toBeGreaterThan(300)
    const withoutTexts: string[] = []
    const withoutWidth: string[] = []
    for (const { u, w, h, t } of cases) {
      const response = await moved(u)
      const svg = await response.text()
      if (response.status !== 200 || textsOf(svg).join('\n') !== t.join('\n')) withoutTexts.push(u)
      if (!svg.includes(` width="${w}" height="${h}"`)) withoutWidth.push(u)
    }
    expect(withoutTexts.length / cases.length, withoutTexts.join('\n')).toBeLessThanOrEqual(0.005)
    // Icons that were renamed are drawn here.
    expect(withoutWidth.length / cases.length, withoutWidth.join('\n')).toBeLessThanOrEqual(0.01)
  })

  test.each(['badgen.txt', 'ui-avatars.txt', 'dicebear.txt'])(
    'of %s are all answered with a picture',
    async (file) => {
      for (const url of lines(file)) {
        const response = await moved(url)
        expect([url, response.status]).toEqual([url, 200])
        expect(response.headers.get('content-type')).toStartWith('image/')
        await response.arrayBuffer()
      }
    },
  )
})
