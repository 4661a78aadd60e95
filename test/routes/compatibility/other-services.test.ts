import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createAvatar } from '@dicebear/core'
import * as initials from '@dicebear/initials'
import { badge, useMovedUrls } from '../../support/moved-urls.ts'
import { startService } from '../../support/service.ts'
import { started } from '../../support/started.ts'
import cases from './other-services.json' with { type: 'json' }

const answerTo = useMovedUrls()

describe('a URL of ui-avatars.com', () => {
  function avatar(query: string) {
    return `/api/transform?kind=avatar&${query}&demo=1`
  }

  test.each(cases.avatars)('%s is that avatar, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(avatar(query))]
    expect([moved, moved.status, moved.auth]).toEqual([native, 200, 'demo'])
  })

  test.each(['white', 'yellow', 'fff', 'ffd54f', '000', '10b981', '888'])(
    'the letters of a moved URL are readable on the background %s',
    async (color) => {
      const { text } = await answerTo(`/9.x/initials/json?seed=Ada&backgroundColor=${color}`)
      expect(JSON.parse(text).contrast).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(cases.seeds)('a seed of DiceBear has its letters there: %s', async (seed) => {
    const theirs = />([^<]+)<\/text>/.exec(createAvatar(initials, { seed }).toString())?.[1]
    const { text } = await answerTo(`/9.x/initials/json?seed=${encodeURIComponent(seed)}`)
    expect(JSON.parse(text).initials).toBe(theirs)
  })

  test('needs a name', async () => {
    for (const path of ['/api/', '/api/nothing?name=a']) expect((await answerTo(path)).status).toBe(404)
  })
})

describe('a URL of badgen.net', () => {
  test.each(cases.badgen)('%s is that badge', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect([moved, moved.status]).toEqual([native, 200])
  })
})

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

const entities = cases.entities as Readonly<Record<string, string>>

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
