import { describe, expect, test } from 'bun:test'
import { drawn, line } from './support.ts'

function graphemes(text: string) {
  return Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)
}

async function drawnLine(text: string, maxWidthPx?: number): Promise<string> {
  const fitted = await line(text, maxWidthPx === undefined ? {} : { maxWidthPx })
  return fitted.lines.map(({ pieces }) => pieces.map(drawn).join()).join()
}

describe('A text that is too long is cut between graphemes', () => {
  const texts = [
    'A subtitle that never ends',
    'Nghiên cứu về tối ưu hóa hệ thống',
    'क्षत्रिय श्री कर्म ज्ञान हिन्दी',
    '👨‍👩‍👧‍👦👍🏽🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿1️⃣❤️👩🏽‍💻🧑‍🚀🚀🎉',
    'ที่นี่มีน้ำและผู้คนมากมาย',
    'בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם',
  ]
  for (const text of texts) {
    test(text, async () => {
      const parts = graphemes(text)
      const whole = (await line(text)).widthPx
      const beginnings = await Promise.all(
        parts.map((_, count) => drawnLine(`${parts.slice(0, count).join('').trimEnd()}…`)),
      )
      for (let widthPx = 120; widthPx < whole; widthPx += whole / 7) {
        expect(beginnings).toContain(await drawnLine(text, widthPx))
        expect((await line(text, { maxWidthPx: widthPx })).truncated).toBe(true)
      }
    })
  }

  test('a text that fits is left alone', async () => {
    const fitted = await line('Ada Lovelace', { maxWidthPx: 2000 })
    expect([fitted.truncated, fitted.lines.length]).toEqual([false, 1])
  })

  test('no space or comma hangs before the ellipsis', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => drawnLine('a, b, c, d, e, f', 100 + at * 10)),
    )
    expect(all).not.toContain(await drawnLine('a, b,…'))
  })
})
