import { describe, expect, test } from 'bun:test'
import { createCardRenderer } from '../../src/assets/og/card-renderer.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { fairPenalty, poorPenalty } from '../../src/text/break-penalties.ts'
import { breaksOf } from '../../src/text/breaks.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { sampleOf, slowTest } from '../support/test-size.ts'
import { type BreakFault, breakCorpus, breakFault, breakKinds, breakTables } from './break-corpus.ts'
import brokenWords from './broken-words.json' with { type: 'json' }
import lineSteps from './line-steps.json' with { type: 'json' }
import { fit } from './support.ts'

function marked(text: string, lang?: string): string {
  return breaksOf(text, lang).reduceRight((result, { offset, penalty }) => {
    const mark = penalty >= poorPenalty ? '~' : penalty >= fairPenalty ? '!' : '|'
    return result.slice(0, offset) + mark + result.slice(offset)
  }, text)
}

for (const [rule, cases] of Object.entries(breakTables.rules)) {
  describe(rule, () => {
    for (const { what, marked: expected, lang } of cases) {
      test(what, () => {
        const text = expected.replace(/[|~!]/g, '').replaceAll('¦', '|')
        expect(marked(text, lang)).toBe(expected.replaceAll('¦', '|'))
      })
    }
  })
}

describe('A better break is worth a slightly smaller size, never a much smaller one', () => {
  const sizes = { sizesPx: [94, 84, 76, 69, 62, 55, 48], maxHeightPx: 300, maxLines: 3 }
  const steps = lineSteps as unknown as readonly [
    what: string,
    text: string,
    maxWidthPx: number,
    lines: string,
    sizePx: number,
  ][]
  for (const [what, text, maxWidthPx, lines, sizePx] of steps) {
    test(what, async () => {
      const fitted = await fit(text, { ...sizes, maxWidthPx })
      expect(fitted.lines.map(({ start, end }) => text.slice(start, end).trim()).join('|')).toBe(lines)
      expect(fitted.sizePx).toBe(sizePx)
    })
  }
  test('a syllable is not torn where one step down keeps to the spaces', async () => {
    const text = 'ເມືອງນ້ອຍ ຮຽນຢູ່ກັບແມ່ນໍ້າຂອງ'
    const fitted = await fit(text, { sizesPx: [90, 80, 72, 64], maxWidthPx: 620, maxLines: 2 })
    expect(fitted.lines.map(({ start, end }) => text.slice(start, end)).join('|')).toBe(
      text.replace(' ', '|'),
    )
  })
})

describe('A word too long for a title breaks before the title is small', () => {
  const words = brokenWords as unknown as readonly (readonly [text: string, parts: string, lang?: string])[]
  for (const [text, parts, lang] of words) {
    test(text, async () => {
      const cards = createCardRenderer(createTextEngine())
      const starts = new Set<number>()
      let offset = 0
      for (const part of parts.split('|')) {
        offset += part.length
        starts.add(offset)
      }
      for (const theme of sampleOf(themeNames, 3)) {
        const { texts } = await cards.composed({ params: { title: text, theme, ...(lang && { lang }) } })
        const fitted = texts.find(({ role }) => role === 'title')?.fitted
        expect(fitted?.sizePx).toBeGreaterThanOrEqual(theme === 'terminal' ? 65 : 70)
        for (const { start } of fitted?.lines.slice(1) ?? []) expect(starts).toContain(start)
      }
    })
  }
})

test('no line of any theme starts where readers sent it back', async () => {
  const cards = createCardRenderer(createTextEngine())
  const faults: string[] = []
  for (const { kind, title } of sampleOf(breakKinds, 4)) {
    for (const theme of sampleOf(themeNames, 3)) {
      for (const size of ['og', 'square', 'portrait'] as const) {
        const { texts } = await cards.composed({ params: { title: title.text, theme, size } })
        const lines = texts.find(({ role }) => role === 'title')?.fitted.lines ?? []
        const shown = lines.map(({ start, end }) => title.text.slice(start, end)).join(' ‖ ')
        if (lines.some(({ start }) => title.marks.has(start)))
          faults.push(`${kind} ${theme} ${size} ${shown}`)
      }
    }
  }
  expect(faults).toEqual([])
})

test('a title of two parts that has several lines ends one with its first part', async () => {
  const cards = createCardRenderer(createTextEngine())
  for (const marked of breakTables.parts) {
    const title = marked.replace('‖', '')
    for (const theme of sampleOf(themeNames, 3)) {
      const { texts } = await cards.composed({ params: { title, theme } })
      const starts = texts.find(({ role }) => role === 'title')?.fitted.lines.map(({ start }) => start) ?? []
      if (starts.length > 1) expect(starts, `${theme} ${title}`).toContain(marked.indexOf('‖'))
    }
  }
})

test('no line but the last is one word that says nothing alone', async () => {
  const cards = createCardRenderer(createTextEngine())
  for (const title of breakTables.lone) {
    const { texts } = await cards.composed({ params: { title, theme: 'poster' } })
    const lines = texts.find(({ role }) => role === 'title')?.fitted.lines ?? []
    for (const { text } of lines.slice(0, -1)) expect(text, title).not.toMatch(/^(?:.{1,4}|\S{1,7},)$/)
  }
})

slowTest(
  'hardly any break in 600 titles and subtitles of 25 languages is one that a reader would not make',
  async () => {
    const cards = createCardRenderer(createTextEngine())
    const samples = breakCorpus()
    expect(new Set(samples.map(({ lang }) => lang)).size).toBe(25)
    expect(samples.length * 2).toBeGreaterThanOrEqual(600)
    const faults: Record<BreakFault, number> = { word: 0, particle: 0, article: 0, number: 0 }
    let lines = 0
    let short = 0
    let texts = 0
    let sizesPx = 0
    for (const { title, subtitle } of samples) {
      for (const theme of ['aurora', 'poster'] as const) {
        const params = {
          title: title.text,
          subtitle: subtitle.text,
          theme,
          author: 'Ada',
          url: 'example.com',
        }
        for (const { role, fitted } of (await cards.composed({ params })).texts) {
          if (role !== 'title' && role !== 'subtitle') continue
          texts++
          sizesPx += fitted.sizePx
          const widths = fitted.lines.map(({ widthPx }) => widthPx)
          if ((widths.at(-1) ?? 0) < Math.max(...widths) / 3) short++
          for (const { start } of fitted.lines.slice(1)) {
            const fault = breakFault(role === 'title' ? title : subtitle, start)
            if (fault !== undefined) faults[fault]++
            lines++
          }
        }
      }
    }
    expect(lines).toBeGreaterThan(1000)
    expect(faults.word).toBeLessThan(4)
    expect(faults.particle).toBe(0)
    expect(faults.number).toBe(0)
    expect(short).toBeLessThan(3)
    // 62.3 px when lines ended wherever they were fullest: better ends cost at most three hundredths of it.
    expect(sizesPx / texts).toBeGreaterThan(0.97 * 62.3)
    expect(faults.article).toBeLessThan(20)
  },
)
