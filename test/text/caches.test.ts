import { describe, expect, test } from 'bun:test'
import { hashText } from '../../src/lib/words.ts'
import { listFontFiles } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import { woff2Ready } from '../../src/text/woff2.ts'
import { sampleSize, slowTest } from '../support/test-size.ts'
import { bold } from './support.ts'
import { generator } from './texts.ts'

await woff2Ready

const textCount = sampleSize(300, 12)
const space = { style: bold, sizesPx: [60, 40], maxWidthPx: 900, maxHeightPx: 300, maxLines: 4 }

describe('Memory is bounded by bytes', () => {
  test('many new texts in all scripts leave the caches within their budget', async () => {
    const engine = createTextEngine()
    const random = generator(3)
    const blocks = [
      0x41, 0x3b1, 0x430, 0x5d0, 0x627, 0x915, 0xe01, 0x1000, 0x1780, 0x3041, 0xac00, 0xb000, 0x4e00, 0x6000,
      0x8000,
    ]
    let heapBytes = 0
    for (let count = 0; count < textCount; count++) {
      const start = blocks[random(blocks.length)] ?? 0x41
      const text = Array.from({ length: 30 }, () =>
        String.fromCharCode(start + random(start > 0x3100 ? 0x1000 : 24)),
      ).join('')
      await engine.draw([{ text, style: bold }], (fitter) => fitter.fit({ text, ...space }))
      if (count === textCount / 2) heapBytes = engine.cachedBytes().harfbuzzHeap
    }
    const { fonts, words, harfbuzzHeap } = engine.cachedBytes()
    expect(fonts + words).toBeLessThanOrEqual(16 * 2 ** 20)
    expect(harfbuzzHeap).toBeLessThan(32 * 2 ** 20)
    expect(harfbuzzHeap).toBeLessThanOrEqual(heapBytes * 1.5)
  })

  slowTest('a font that was thrown out is read again', async () => {
    const engine = createTextEngine()
    const text = 'はじめに'
    const first = await engine.draw([{ text, style: bold }], (fitter) => fitter.fit({ text, ...space }))
    for (let start = 0x4e00; start < 0x9f00; start += 0x200) {
      const filler = Array.from({ length: 0x100 }, (_, at) => String.fromCharCode(start + at)).join('')
      engine.line(filler, bold, 40, 'ja')
    }
    const longer = { text: `${text}に`, ...space }
    const again = await engine.draw([longer], (fitter) => fitter.fit(longer))
    expect(again.lines[0]?.pieces.length).toBe((first.lines[0]?.pieces.length ?? 0) + 1)
  })
})

test('two words with one hash are drawn as what they are', async () => {
  const [first, second] = ['declinate', 'macallums']
  expect(hashText(first)).toBe(hashText(second))
  const [engine, other] = [createTextEngine(), createTextEngine()]
  for (const { fit } of [engine, other]) fit({ text: `${first} ${second}`, ...space })
  const drawn = engine.fit({ text: first, ...space })
  expect(engine.fit({ text: second, ...space })).toEqual(other.fit({ text: second, ...space }))
  expect(engine.fit({ text: first, ...space })).toEqual(drawn)
})

test('every file that a build must ship exists', () => {
  const files = listFontFiles()
  expect(files.length).toBeGreaterThan(400)
  expect(new Set(files.map(({ packageName, file }) => `${packageName}/${file}`)).size).toBe(files.length)
  for (const file of files) expect(readFontFileSync(file).length).toBeGreaterThan(100)
})
