import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createAvatar } from '@dicebear/core'
import * as initials from '@dicebear/initials'
import { badge, useMovedUrls } from '../../support/moved-urls.ts'
import { startService } from '../../support/service.ts'
import { started } from '../../support/started.ts'

const answerTo = useMovedUrls()

describe('a URL of ui-avatars.com', () => {
  function avatar(query: string) {
    return `/api/transform?kind=avatar&${query}&demo=1`
  }

  test.each([
    ['/api/?name=John+Doe', 'name=John+Doe&size=64&shape=square&format=png'],
    ['/api?name=John+Doe', 'name=John+Doe&size=64&shape=square&format=png'],
    [
      '/api/?name=Elon+Musk&background=0D8ABC&color=fff&size=128&rounded=true&format=svg',
      'name=Elon+Musk&background=0D8ABC&color=fff&size=128&rounded=true&format=svg',
    ],
    [
      '/api/?name=J&length=1&font-size=0.33&bold=true&uppercase=false&background=random',
      'name=J&length=1&font-size=0.33&bold=true&uppercase=false&background=random&size=64&shape=square&format=png',
    ],
    [
      '/api/John+Doe/128/000000/ffffff/2/0.5/true/true/false/svg',
      'name=John+Doe&size=128&background=000000&color=ffffff&length=2&font-size=0.5&rounded=true&format=svg',
    ],
    ['/api/?name=Madonna', 'name=Madonna&length=2&size=64&shape=square&format=png'],
    ['/api/?name=A&background=f39821ec', 'name=A&background=f39821&size=64&shape=square&format=png'],
    [
      '/api/?rounded=yes&bold=TRUE&size=5000',
      'name=John+Doe&size=1024&length=2&rounded=true&bold=true&format=png',
    ],
    ['/api/?name=%20&shape=star&length=9', 'name=John+Doe&size=64&length=3&shape=square&format=png'],
    [
      '/7.x/initials/svg?seed=John+Doe&backgroundColor=10b981,ffffff',
      'name=John+Doe&length=2&background=10b981&size=128&shape=square&format=svg',
    ],
    [
      '/10.x/initials/webp/?seed=AB&radius=20&fontWeight=700&textColor=none,000&size=96',
      'name=AB&length=2&color=000&size=96&shape=rounded&bold=true&format=png',
    ],
    [
      '/api/initials/John%20Doe.svg?background=%23112233&chars=1',
      'name=John+Doe&length=1&background=112233&color=ffffff&size=128&shape=square&format=svg',
    ],
    ['/v2/initials/jd.svg', 'name=jd&length=2&color=ffffff&size=128&shape=square&format=svg'],
  ])('%s is that avatar, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(avatar(query))]
    expect(moved).toEqual(native)
    expect([moved.status, moved.auth]).toEqual([200, 'demo'])
  })

  test.each(['white', 'yellow', 'fff', 'ffd54f', '000', '10b981', '888'])(
    'the letters of a moved URL are readable on the background %s',
    async (color) => {
      const { text } = await answerTo(`/9.x/initials/json?seed=Ada&backgroundColor=${color}`)
      expect(JSON.parse(text).contrast).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each([
    'John Doe',
    'john-doe',
    'rebecca_bauch',
    'Felix',
    'ada.lovelace@example.com',
    'Jean-Luc Picard',
    'O’Neil',
    'María José Carreño',
    'Иван Петров',
    '김철수',
    'user123',
  ])('a seed of DiceBear has its letters there: %s', async (seed) => {
    const theirs = />([^<]+)<\/text>/.exec(createAvatar(initials, { seed }).toString())?.[1]
    const { text } = await answerTo(`/9.x/initials/json?seed=${encodeURIComponent(seed)}`)
    expect(JSON.parse(text).initials).toBe(theirs)
  })

  test('needs a name', async () => {
    expect((await answerTo('/api/')).status).toBe(404)
    expect((await answerTo('/api/nothing?name=a')).status).toBe(404)
  })
})

describe('a URL of badgen.net', () => {
  test.each([
    ['/badge/license/MIT/white', 'label=license&value=MIT&color=white'],
    ['/badge/smart-contract/Solidity/orange', 'label=smart-contract&value=Solidity&color=orange'],
    ['/badge/PyPI/v1.0.3', 'label=PyPI&value=v1.0.3&color=blue'],
    // An icon that is hard to see has the colour of the text, which is the rule of shields.io.
    [
      '/badge/icon/discord?icon=discord&label&color=purple',
      'value=discord&logo=discord&color=purple&logoColor=auto',
    ],
    ['/badge/a/b/purple', 'label=a&value=b&color=purple'],
    ['/badge/platform/ios,macos?list=1', 'label=platform&value=ios%20%7C%20macos&color=blue'],
    [
      '/badge/a/b?icon=npm&iconWidth=20&cache=300',
      'label=a&value=b&color=blue&logo=npm&logoWidth=20&logoColor=auto',
    ],
    ['/badge/a/b?icon=https://a.example/b.svg', 'label=a&value=b&color=blue'],
    ['/static/a/b/red', 'label=a&value=b&color=red'],
  ])('%s is that badge', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect(moved).toEqual(native)
    expect(moved.status).toBe(200)
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
