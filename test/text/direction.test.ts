import { describe, expect, test } from 'bun:test'
import { blockPath } from '../../src/text/block-path.ts'
import { baseDirection, cardDirection, visualOrder } from '../../src/text/direction.ts'
import tables from './direction.json' with { type: 'json' }
import directions from './directions.json' with { type: 'json' }
import { fit, outlines, pathBounds } from './support.ts'

describe('Most letters decide the direction, and the first strong character where they are few', () => {
  const cases = directions as unknown as readonly [string, 'ltr' | 'rtl'][]
  for (const [text, direction] of cases)
    test(JSON.stringify(text), () => expect(baseDirection(text)).toBe(direction))

  test('the language decides before the letters, for texts that have letters of its direction', () => {
    expect(baseDirection('React Native مقابل Flutter', 'ar')).toBe('rtl')
    expect(baseDirection('قهوة: how Arabic coffee is made', 'en')).toBe('ltr')
    expect(baseDirection('Hello (world)!', 'ar')).toBe('ltr')
    expect(baseDirection('שלום!', 'en')).toBe('rtl')
  })
})

describe('A card has the direction of its language', () => {
  const cases = tables.langs as unknown as readonly [lang: string, direction: 'ltr' | 'rtl'][]
  for (const [lang, direction] of cases)
    test(lang, () => expect(cardDirection(['C++ & ...'], lang)).toBe(direction))

  test('and without one that of most letters of all its texts', () => {
    expect(cardDirection(['GraphQL', 'דברים שלמדתי'])).toBe('rtl')
    expect(cardDirection(['A long English title', 'דבר'])).toBe('ltr')
    expect(cardDirection(['2027'])).toBe('ltr')
  })
})

describe('Words stand in visual order', () => {
  test('levels are reversed from the highest down', () => {
    expect(visualOrder([0, 1, 1, 0])).toEqual([0, 2, 1, 3])
    expect(visualOrder([1, 2, 2, 1])).toEqual([3, 1, 2, 0])
    expect(visualOrder([0, 0])).toEqual([0, 1])
    expect(visualOrder([])).toEqual([])
  })

  test('two Hebrew words in an English line change places', async () => {
    const [abc, def, one, two] = await Promise.all(['abc', 'def', 'אבג', 'דהו'].map(outlines))
    expect(await outlines('abc אבג דהו def')).toEqual([abc, two, one, def].flatMap((piece) => piece ?? []))
  })

  test('a number in an Arabic line keeps its digits in order', async () => {
    const [number, word] = await Promise.all(['1984', 'عام'].map(outlines))
    expect(await outlines('عام 1984')).toEqual([...(number ?? []), ...(word ?? [])])
  })

  for (const name of ['C++', 'F#', '.NET', '@scope/name', 'C++17', 'a||b', 'useState()', '--flag', 'Qt®'])
    test(`${name} keeps its order in a right-to-left line`, async () => {
      const [word, own] = await Promise.all(['تعلم', name].map(outlines))
      expect((await outlines(`تعلم ${name}`)).join('')).toBe([...(own ?? []), ...(word ?? [])].join(''))
      expect((await outlines(`${name} تعلم لغة جديدة`)).join('')).toEndWith((own ?? []).join(''))
    })

  test('brackets are mirrored in a right-to-left line', async () => {
    const [open, close] = await Promise.all([outlines('('), outlines(')')])
    const line = await outlines('(אב)')
    expect([line.at(0), line.at(-1)]).toEqual([open?.[0], close?.[0]])
  })
})

describe('A paragraph stands at the side where its direction starts', () => {
  async function right(text: string, align: 'start' | 'center' | 'end') {
    const drawn = blockPath(await fit(text), align, 900)
    const { left = 0, right = 0 } = pathBounds(drawn.d) ?? {}
    return { left: left * drawn.scale, right: 900 - right * drawn.scale }
  }
  test('start is left in English and right in Arabic', async () => {
    expect((await right('Hello', 'start')).left).toBeLessThan(12)
    expect((await right('مرحبا', 'start')).right).toBeLessThan(12)
  })
  test('end is the other side', async () => {
    expect((await right('Hello', 'end')).right).toBeLessThan(12)
    expect((await right('مرحبا', 'end')).left).toBeLessThan(12)
  })
  test('its ink stands on the edge, whatever letter and size it starts with', async () => {
    for (const [text, side] of tables.sides as [string, string][]) {
      for (const sizePx of [40, 150]) {
        const { d, scale } = blockPath(await fit(text, { sizesPx: [sizePx] }), 'start', 900, true)
        const { left = 0, right = 0 } = pathBounds(d) ?? {}
        expect(Math.abs(side === 'left' ? left * scale : 900 - right * scale)).toBeLessThan(0.2)
      }
    }
  })
  test('the centre is the centre', async () => {
    for (const text of ['Hello', 'مرحبا']) {
      const { left, right: free } = await right(text, 'center')
      expect(Math.abs(left - free)).toBeLessThan(12)
    }
  })
})
