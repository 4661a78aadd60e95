import { describe, expect, test } from 'bun:test'
import { makeBadge } from 'badge-maker'
import { badge, useMovedUrls } from '../../support/moved-urls.ts'
import { repeated } from '../../support/repeated.ts'
import cases from './shields-urls.json' with { type: 'json' }

const answerTo = useMovedUrls()

describe('a URL of shields.io', () => {
  test.each(cases.badges)('%s is that badge, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect([moved, moved.status, moved.auth]).toEqual([native, 200, 'demo'])
  })

  test.each(['/badge/', '/badge/alone', '/badge/a-b-c-d', '/badge/a-b-', '/badge/%ff'])(
    '%s is not found',
    async (path) => {
      expect((await answerTo(path)).status).toBe(404)
    },
  )

  test.each(cases.overlooked.map((row) => row.map(repeated)))('overlooks %s', async (_, path, query) => {
    const [moved, native] = [await answerTo(`/badge/${path}`), await answerTo(badge(query))]
    expect([moved, moved.status]).toEqual([native, 200])
  })

  test('may have an empty message, which under our own name is a mistake', async () => {
    const { status, text } = await answerTo('/badge/lonely--red')
    expect([status, text.match(/<text/g)?.length]).toEqual([200, 3])
    expect((await answerTo('/badge/--red?logo=github')).text).toContain('aria-label="github"')
    expect((await answerTo('/static/v1?label=a&message=%20&color=red')).status).toBe(200)
    expect((await answerTo(badge('label=a&value='))).status).toBe(400)
  })

  test('of nothing but dashes is answered', async () => {
    expect((await answerTo(`/badge/${'-'.repeat(15_000)}`)).status).toBe(404)
    expect((await answerTo(`/badge/${'a-'.repeat(7_000)}`)).status).toBe(404)
  })

  test('may be asked for by HEAD, and by no other method', async () => {
    const head = await answerTo('/badge/a-b-red', { method: 'HEAD' })
    expect([head.status, head.type]).toEqual([200, 'image/svg+xml'])
    expect((await answerTo('/badge/a-b-red', { method: 'POST' })).status).toBe(405)
  })

  test('with credentials is no demo call', async () => {
    const { status, text } = await answerTo(`/badge/a-b-red?key=mk_nobody&t=1&sig=${'0'.repeat(64)}`)
    expect([status, JSON.parse(text).error]).toEqual([402, 'invalid_key'])
  })
})

describe('a live badge of shields.io that is not made here', () => {
  test.each([
    '/endpoint/json?url=https://a.example/b.json',
    '/badge/dynamic?url=https://a.example/b.json&query=a',
    '/badge/dynamic/json/more?url=https://a.example/b.json&query=a',
  ])('%s is not found, rather than a badge of other words', async (path) => {
    expect((await answerTo(path)).status).toBe(404)
    const picture = await answerTo(path, { headers: { accept: 'image/avif,image/*,*/*;q=0.8' } })
    expect([picture.status, picture.type]).toEqual([404, 'image/svg+xml'])
    expect(picture.text).toMatch(/^<svg [^>]*width="\d{2,3}" height="20"/)
  })

  test.each(['', '.svg', '.png', '.json'])(
    '/badge/dynamic/regex%s is a grey badge that says so, whatever its colour is to be',
    async (ending) => {
      const query = 'url=https://a.example/b&search=a&label=release&color=red'
      const words = 'label=release&value=regex%20is%20not%20read&color=lightgrey'
      const native = await answerTo(badge(`${words}${ending === '' ? '' : `&format=${ending.slice(1)}`}`))
      expect([await answerTo(`/badge/dynamic/regex${ending}?${query}`), native.status]).toEqual([native, 200])
    },
  )
})

describe('a colour of shields.io', () => {
  function paintOf(svg: string) {
    return /<rect x="\d+" width="\d+" height="20" fill="([^"]+)"/.exec(svg)?.[1]
  }

  test.each(cases.colours)('%s is %s, as the word says', async (color, painted) => {
    expect(paintOf((await answerTo(`/badge/a-b-${color}`)).text)).toBe(painted)
    expect(paintOf((await answerTo(`/badge/a-b-0f0?color=${color}`)).text)).toBe(
      painted === '#737373' ? '#00ff00' : painted,
    )
  })
})

describe('an icon of shields.io', () => {
  function fillOf(svg: string) {
    return /viewBox="[^"]+" fill="([^"]+)"/.exec(svg)?.[1]
  }

  test.each(cases.logoColours)('logo=%s is %s: %s', async (logo, fill) => {
    expect(fillOf((await answerTo(`/badge/a-b-red?logo=${logo}`)).text)).toBe(fill)
  })

  test.each(cases.otherNames)('%s has other names too', async (slug, ...names) => {
    const own = await answerTo(`/badge/a-b-red?logo=${slug}`)
    expect(own.text).toContain('<path d="M')
    for (const name of names) expect((await answerTo(`/badge/a-b-red?logo=${name}`)).text).toBe(own.text)
  })

  test.each(cases.unknownLogos)('%s has no mark there, and the badge is drawn without', async (name) => {
    expect((await answerTo(`/badge/a-b-red?logo=${name}`)).text).toBe((await answerTo('/badge/a-b-red')).text)
  })
})

describe('emoji in a badge of shields.io', () => {
  test.each([
    ['a', '🟢🟢⚪'],
    ['🗺️ Map', 'b'],
    ['family', '👨‍👩‍👧‍👦 👍🏽 🇫🇷 1️⃣'],
    ['日本 🎉', 'é 🎧'],
  ])('%s and %s take the room that it gives them', async (label, message) => {
    for (const style of ['flat', 'for-the-badge', 'social'] as const) {
      const theirs = makeBadge({ label, message, color: 'red', style })
      const [size = ''] = /width="[\d.]+" height="\d+"/.exec(theirs) ?? []
      expect((await answerTo(`/badge/${label}-${message}-red?style=${style}`)).text).toContain(size)
    }
  })

  test('leave other scripts their own width', async () => {
    const [moved, native] = [
      await answerTo('/badge/a-ناجح🟢-red'),
      await answerTo(badge('label=a&value=%D9%86%D8%A7%D8%AC%D8%AD%F0%9F%9F%A2&color=red')),
    ]
    expect(moved.text).toBe(native.text)
  })
})
