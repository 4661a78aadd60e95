import { describe, expect, test } from 'bun:test'
import { blockPath } from '../../src/text/block-path.ts'
import { baseDirection, visualOrder } from '../../src/text/direction.ts'
import { fit, outlines, pathBounds } from './support.ts'

describe('The first strong character decides the direction', () => {
  const cases: readonly [string, 'ltr' | 'rtl'][] = [
    ['Hello עולם', 'ltr'],
    ['עולם Hello', 'rtl'],
    ['123 (٪) مرحبا', 'rtl'],
    ['🚀 مرحبا', 'rtl'],
    ['123 !?', 'ltr'],
    ['\u2067עברית\u2069 end', 'ltr'],
    ['𞤀𞤣 Adlam', 'rtl'],
    ['', 'ltr'],
  ]
  for (const [text, direction] of cases)
    test(JSON.stringify(text), () => expect(baseDirection(text)).toBe(direction))
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
  test('the centre is the centre', async () => {
    for (const text of ['Hello', 'مرحبا']) {
      const { left, right: free } = await right(text, 'center')
      expect(Math.abs(left - free)).toBeLessThan(12)
    }
  })
})
