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

describe('A cut text ends with a whole word', () => {
  /** The bars are where a text may end. */
  const texts = [
    'Notes| on| caching,| signed| addresses| and| share| cards',
    'Die| Geschichte| der „alten| Dampfer“| auf| der Donau',
    'Как| мы| сократили| время| запуска| сервиса',
    'كيف| خفضنا| زمن| بدء| التشغيل| في| الخدمة',
    'हमने| सेवा के| आरंभ| समय को| कम| किया',
    'เรา|ลด|เวลา|เริ่ม|ต้น|ระบบ',
    'រថភ្លើង|ពេលយប់|មកវិញ',
    'コールド|スタートを|短縮した|方法',
  ]
  for (const barred of texts) {
    test(barred, async () => {
      const parts = barred.split('|')
      const ends = await Promise.all(
        parts.map((_, at) =>
          drawnLine(
            `${parts
              .slice(0, at + 1)
              .join('')
              .replace(/,$/, '')}…`,
          ),
        ),
      )
      const text = parts.join('')
      const whole = (await line(text)).widthPx
      for (let widthPx = whole * 0.6; widthPx < whole; widthPx += whole / 23)
        expect(ends).toContain(await drawnLine(text, widthPx))
    })
  }

  test('not with an article, nor with a mark that opens', async () => {
    const text = 'Tell her to bring me the (best) pen'
    const whole = (await line(text)).widthPx
    const ends = await Promise.all(
      ['Tell her to', 'Tell her to bring', 'Tell her to bring me', 'Tell her to bring me the (best)'].map(
        (end) => drawnLine(`${end}…`),
      ),
    )
    for (let widthPx = whole * 0.4; widthPx < whole; widthPx += whole / 40)
      expect(ends).toContain(await drawnLine(text, widthPx))
  })

  test('but inside a word that is longer than all before it', async () => {
    const text = 'Die Donaudampfschifffahrtsgesellschaft'
    const fitted = await line(text, { maxWidthPx: (await line(text)).widthPx * 0.7 })
    expect(fitted.lines[0]?.end).toBeGreaterThan(12)
  })
})
