import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import type { randomFrom } from '../../support/random.ts'

/** Words of the scripts that cards are looked at in. The last ones of each are long or tall. */
const scripts: readonly (readonly string[])[] = [
  [
    'How',
    'we',
    'cut',
    'cold',
    'starts',
    'in',
    'Bun,',
    'why',
    'it',
    'matters:',
    'Größenmaßstäbe',
    'Ấm',
    'fjord',
  ],
  ['كيف', 'خفضنا', 'زمن', 'بدء', 'التشغيل', 'في', 'خدمتنا', 'ولماذا', '٨٣٪', 'مُسْتَشْفَى'],
  ['כיצד', 'קיצצנו', 'את', 'זמן', 'האתחול', 'בשירות', 'שלנו', '83%', 'בְּרֵאשִׁית'],
  ['हमने', 'कोल्ड', 'स्टार्ट', 'को', 'कैसे', 'कम', 'किया', '८३', 'क्षत्रिय', 'द्ध्व'],
  ['私たちが', 'コールドスタートを', '83%', '短縮した', '方法と、', 'その理由', '計測', '禁則処理'],
  ['เราลดเวลา', 'เริ่มต้นระบบ', 'ได้แปดสิบสาม', 'เปอร์เซ็นต์', 'อย่างไร', 'น้ำ', 'ที่ปู่'],
  ['우리가', '콜드', '스타트를', '줄인', '방법,', '그리고', '당신도', '그래야', '하는', '이유'],
  [
    'Ship',
    'it',
    '🚀',
    '👩‍💻',
    'v4.2',
    'WWWWWWWWWWWWWWWWWWWW',
    'https://github.com/oven-sh/bun/issues/12345?x=1',
    'i',
  ],
]

type Words = Pick<CardParams, 'title' | 'subtitle' | 'author' | 'url'>

/** The words of a card: of one script or mixed, short, long or missing, some longer than cards without `overflow` take. */
export function randomText(random: ReturnType<typeof randomFrom>): Words {
  const own = random.pick(scripts)
  function words(charactersMax: number): string {
    const length = 1 + random.below(random.below(4) === 0 ? charactersMax : Math.ceil(charactersMax / 4))
    const chosen: string[] = []
    while (chosen.join(' ').length < length)
      chosen.push(random.pick(random.below(8) === 0 ? random.pick(scripts) : own))
    return Array.from(chosen.join(own.includes('私たちが') ? '' : ' '))
      .slice(0, charactersMax)
      .join('')
      .trim()
  }
  function optional(charactersMax: number): string {
    return random.below(4) === 0 ? '' : words(charactersMax)
  }
  const isLong = random.below(4) === 0
  return {
    title: words(isLong ? 300 : 80) || 'i',
    subtitle: optional(isLong ? 500 : 120),
    author: optional(80),
    url: random.below(2) === 0 ? optional(120) : random.pick(['example.com', 'docs.harbour.dev', '']),
  }
}
