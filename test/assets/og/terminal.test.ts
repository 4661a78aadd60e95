import { expect, test } from 'bun:test'
import { sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { cards, inkBoxes } from './corpus.ts'

const subtitles = [
  'Notes on caching, signed URLs and share cards that never go stale',
  'تقرير ميداني عن التخزين المؤقت وقياس السرعة في الخوادم الصغيرة',
]

test('each line of a subtitle in the terminal is a comment, with its sign before it', async () => {
  for (const size of sizeNames)
    for (const subtitle of subtitles) {
      const params = { theme: 'terminal', size, title: subtitle.slice(0, 12), subtitle } as const
      const { texts } = await cards.composed({ params })
      const text = texts.find(({ role }) => role === 'subtitle')
      const signs = texts.filter(({ role }) => role === 'sign')
      const isLeft = text?.fitted.direction === 'ltr'
      const lines = text === undefined ? [] : inkBoxes(text)
      expect(signs.length, size).toBe(lines.length)
      for (const [at, sign] of signs.flatMap(inkBoxes).entries()) {
        const [line, below] = [lines[at], lines[at + 1]]
        expect(isLeft ? sign.right : line?.right, size).toBeLessThan((isLeft ? line?.left : sign.left) ?? 0)
        expect(sign.bottom, size).toBeGreaterThan(line?.top ?? Infinity)
        expect(sign.top, size).toBeLessThan(below?.top ?? Infinity)
      }
    }
})
