import { expect, test } from 'bun:test'
import { badgeStyles } from '../../../src/assets/badge/badge.ts'
import { renderBadge } from '../../../src/assets/badge/render-badge.ts'
import { measureText } from '../../../src/assets/badge/widths/measure.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { woff2Ready } from '../../../src/text/woff2.ts'
import { sampleOf } from '../../support/test-size.ts'
import { visibleTexts } from '../../support/visible-texts.ts'
import { parseXml } from '../../support/xml-tree.ts'
import cases from './scripts.json' with { type: 'json' }

await woff2Ready

const base = { label: 'x', color: '#298605', links: [], idSuffix: '', scale: 1 } as const

for (const message of ['ناجح', 'עוברת!', 'सफल', 'ผ่าน', 'অনুমোদিত', 'ជោគជ័យ', 'အောင်မြင်']) {
  test(`${message} is never stretched: its letters join or stack`, () => {
    for (const style of badgeStyles) {
      expect(renderBadge({ ...base, style, message }).split('textLength').length - 1).toBe(
        style === 'flat' || style === 'plastic' ? 3 : style === 'social' ? 2 : 1,
      )
    }
  })
}

test('right-to-left text says so, whatever the other part is', () => {
  const texts = visibleTexts(parseXml(renderBadge({ ...base, style: 'flat-square', message: 'עוברת! v2' })))
  expect(texts.map(({ attributes }) => attributes['direction'])).toEqual([undefined, 'rtl'])
})

const samples = cases.samples as Readonly<Record<string, string>>
for (const [language, text] of sampleOf(Object.entries(samples), 4)) {
  test(`${language} is estimated within a fifth of what its font takes`, async () => {
    const engine = createTextEngine()
    const style = { family: 'sans', weight: 400 } as const
    const truth = await engine.draw([], (fitter) => fitter.line(text, style, 11).widthPx)
    const { widthPx, exact } = measureText(text, 'verdana-11')
    expect(exact).toBe(false)
    expect(Math.abs(widthPx / truth - 1)).toBeLessThan(0.2)
  })
}

test('an emoji sequence takes the room of one picture', () => {
  expect(measureText('👨‍👩‍👧‍👦', 'verdana-11').widthPx).toBe(measureText('🚀', 'verdana-11').widthPx)
  expect(measureText('🇩🇪', 'verdana-11').widthPx).toBe(measureText('🚀', 'verdana-11').widthPx)
})
