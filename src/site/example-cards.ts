import { type CardSize, cardSizes, type SizeName, sizeNames } from '../assets/og/card-sizes.ts'
import { schemes } from '../assets/og/theme.ts'
import { themeNames } from '../assets/og/themes.ts'
import type { Picture } from './sample-pictures.ts'

type Words = Readonly<Record<string, string>>

/** Texts of the cards, in turn: one script for each theme, so that a size is seen in several. */
export const cardSamples: readonly Words[] = [
  {
    title: 'How we cut cold starts by 83%, and why you should too',
    subtitle: 'A field report on caching, outlines and honest benchmarks',
    author: 'Ada Lovelace',
    url: 'engineering.example.com',
    accent: '0891b2',
  },
  {
    title: 'हमने कोल्ड स्टार्ट को कैसे कम किया',
    subtitle: 'मापना, टालना, और एक ही सेटिंग',
    author: 'अमिता राव',
    url: 'amita.example',
    accent: 'c2410c',
  },
  {
    title: '私たちがコールドスタートを短縮した方法',
    subtitle: '計測、遅延読み込み、そして一つの設定',
    author: '夏目漱石',
    url: 'harbour.example',
    lang: 'ja',
    accent: '2563eb',
  },
  {
    title: 'كيف خفضنا زمن بدء التشغيل',
    subtitle: 'قياس ثم تأجيل ثم إعداد واحد',
    author: 'أحمد الخوارزمي',
    url: 'noor.example',
    accent: 'e11d48',
  },
  {
    title: 'Release 4.2 🚀',
    subtitle: 'Faster builds, smaller bundles, no config changes',
    author: 'acme-team',
    url: 'acme.example/changelog',
    accent: '16a34a',
  },
]

export interface SizeExamples {
  readonly name: SizeName
  readonly size: CardSize
  /** Light and dark of each theme. */
  readonly cards: readonly (Picture & { readonly caption: string })[]
}

/** A card of every theme in both schemes, for each size. */
export const sizeExamples: readonly SizeExamples[] = sizeNames.map((name) => ({
  name,
  size: cardSizes[name],
  cards: themeNames.flatMap((theme, index) => {
    const said = cardSamples[index % cardSamples.length] ?? {}
    return schemes.map((scheme) => ({
      file: `card-${name}-${theme}-${scheme}.svg`,
      assetId: 'og',
      query: { ...said, theme, scheme, size: name },
      alt: `${theme}, ${scheme}: ${said['title']}`,
      caption: `${theme}, ${scheme}`,
    }))
  }),
}))
