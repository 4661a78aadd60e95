import { expect, test } from 'bun:test'
import type { PlacedText } from '../../src/assets/og/canvas.ts'
import { cardLayoutJson } from '../../src/assets/og/card-layout.ts'
import { type CardTexts, cardSizes, type SizeName } from '../../src/assets/og/theme.ts'
import type { Scene } from '../../src/raster/scene.ts'
import type { FittedText } from '../../src/text/types.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(() => startService())

interface TextLayout {
  readonly text: string
  readonly lines: readonly string[]
  readonly size_px: number
  readonly is_cut: boolean
}

interface Layout {
  readonly [member: string]: unknown
  readonly texts: Readonly<Record<string, TextLayout>>
  readonly warnings: readonly {
    readonly code: string
    readonly parameter: string
    readonly message: string
  }[]
}

async function layout(query: Readonly<Record<string, string>>, path = '/api/og.json'): Promise<Layout> {
  const response = await fetch(`${server.url}${path}?${new URLSearchParams({ demo: '1', ...query })}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  return response.json()
}

function codesOf({ warnings }: Layout): readonly string[] {
  return warnings.map(({ code, parameter }) => `${code} ${parameter}`)
}

const texts = {
  title: 'Notes on quiet tools',
  subtitle: 'What to leave out',
  author: 'Mira Holm',
  url: 'https://docs.example.com/notes',
}

test('format=json tells the lines of every text, its size and how the card stands', async () => {
  const card = await layout(texts)
  expect(await layout({ ...texts, format: 'json' }, '/api/og')).toEqual(card)
  const { texts: laid, warnings, ...rest } = card
  expect(rest).toEqual({
    template: 'standard',
    theme: 'aurora',
    scheme: 'dark',
    size: 'og',
    width: 1200,
    height: 630,
    direction: 'ltr',
  })
  expect(Object.keys(laid)).toEqual(['title', 'subtitle', 'author', 'domain'])
  expect(laid['title']?.lines.join(' ')).toBe(texts.title)
  expect(laid['title']?.size_px).toBeGreaterThan(80)
  expect(codesOf({ texts: laid, warnings })).toEqual(['outside_square title'])
})

test('lines have the hyphens and the ellipsis that are drawn', async () => {
  const word = await layout({ title: 'Internationalisierungsstrategie', theme: 'poster', lang: 'de' })
  const { lines = [] } = word.texts['title'] ?? {}
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.slice(0, -1).every((line) => line.endsWith('-'))).toBe(true)
  expect(lines.map((line) => line.replace(/-$/, '')).join('')).toBe('Internationalisierungsstrategie')
  const title = 'wordy '.repeat(48).trim()
  const long = await layout({ title, overflow: 'ellipsis', theme: 'terminal' })
  expect(long.texts['title']).toMatchObject({ text: title, is_cut: true })
  expect(long.texts['title']?.lines.at(-1)).toEndWith('…')
  expect(codesOf(long)).toContain('cut title')
})

test('small letters of a title are warned of on wide cards, in proportion to the size', () => {
  const fitted = { lines: [], truncated: false } as unknown as FittedText
  function codes(size: SizeName, sizePx: number): readonly string[] {
    const placed = { role: 'title', fitted: { ...fitted, sizePx }, fill: '#000000' } as PlacedText
    const scene = { ...cardSizes[size], background: { color: '#ffffff' } } as unknown as Scene
    const wanted = { title: 'a' } as CardTexts
    const card = {
      scene,
      texts: [placed],
      size,
      wanted,
      theme: 'plain',
      scheme: undefined,
      direction: 'ltr',
      missing: [],
    } as const
    return cardLayoutJson(card).warnings.map(({ code }) => code)
  }
  const expected = [['small_type'], [], ['small_type'], []]
  expect([codes('og', 41), codes('og', 42), codes('x', 55), codes('x', 56)]).toEqual(expected)
  expect([codes('square', 30), codes('pin', 30)]).toEqual([[], []])
})

test('a right-to-left card says so, and its lines are in logical order', async () => {
  const { direction, texts: laid } = await layout({ title: 'سلام دنیا', size: 'square' })
  expect([direction, laid['title']?.lines]).toEqual(['rtl', ['سلام دنیا']])
})

test.each(['width=600', 'quality=80'])('%s is refused with format=json', async (other) => {
  const response = await fetch(`${server.url}/api/og.json?title=a&demo=1&${other}`)
  expect(response.status).toBe(400)
  expect((await response.json()).errors[0].parameter).toBe(other.split('=')[0])
})
