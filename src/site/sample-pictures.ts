import { type CardSize, cardSizes, type SizeName, sizeNames } from '../assets/og/card-sizes.ts'
import { schemes } from '../assets/og/theme.ts'
import { themeNames } from '../assets/og/themes.ts'

type Query = Readonly<Record<string, string>>

/** A picture on our own pages. It is rendered like a caller's, at a URL that is not counted. */
export interface Picture {
  /** File name with its extension. */
  readonly file: string
  readonly assetId: string
  readonly query: Query
  readonly alt: string
}

/** In pixels. */
export interface PictureSize {
  readonly widthPx: number
  readonly heightPx: number
}

function card(file: string, query: Query): Picture {
  return { file, assetId: 'og', query, alt: `Share card: ${query['title']}` }
}

export const wallCards: readonly Picture[] = [
  card('card-paper.svg', {
    theme: 'paper',
    title: 'Field notes from the north coast',
    subtitle: 'Eleven days, four ferries, one notebook',
    author: 'Mira Holm',
    url: 'mira.blog',
  }),
  card('card-poster.svg', {
    theme: 'poster',
    title: 'Release 4.2',
    subtitle: 'Faster builds, smaller bundles, no config changes',
    author: 'Acme Team',
    url: 'acme.dev/changelog',
  }),
  card('card-grid.svg', {
    theme: 'grid',
    title: 'A gentle introduction to proofs',
    subtitle: 'Chapter three: induction',
    author: 'Jun Sato',
    url: 'proofs.example',
  }),
  card('card-terminal.svg', {
    theme: 'terminal',
    title: 'bun run start',
    subtitle: 'One command, one file, one machine',
    url: 'harbour.dev',
  }),
  card('card-japanese.svg', {
    theme: 'aurora',
    lang: 'ja',
    title: '私たちがコールドスタートを短縮した方法',
    subtitle: '計測、遅延読み込み、そして一つの設定',
    author: '夏目漱石',
  }),
  card('card-arabic.svg', {
    theme: 'paper',
    title: 'كيف خفضنا زمن بدء التشغيل',
    subtitle: 'قياس ثم تأجيل ثم إعداد واحد',
    author: 'أحمد الخوارزمي',
  }),
]

/** The card beside the first heading. */
export const heroCard = card('card-hero.svg', {
  theme: 'poster',
  accent: '2f4bc9',
  title: 'Small pages, fast builds, happy readers',
  subtitle: 'Field notes from a year of static sites',
  author: 'Mira Holm',
})

function badge(file: string, label: string, value: string, more: Query): Picture {
  return { file, assetId: 'badge', query: { label, value, ...more }, alt: `${label}: ${value}` }
}

export const wallBadges: readonly Picture[] = [
  badge('badge-build.svg', 'build', 'passing', { status: 'success', logo: 'githubactions' }),
  badge('badge-coverage.svg', 'coverage', '97%', { color: 'green' }),
  badge('badge-docs.svg', 'docs', 'stale', { status: 'warning' }),
  badge('badge-npm.svg', 'npm', 'v4.2.0', { color: 'blue', logo: 'npm' }),
  badge('badge-license.svg', 'licence', 'MIT', { color: 'purple', style: 'flat-square' }),
  badge('badge-status.svg', 'status', 'down', { status: 'down' }),
  badge('badge-made.svg', 'made with', 'care', { color: 'pink', style: 'for-the-badge' }),
]

const people = ['Ada Lovelace', 'Mira Holm', '佐藤 純', 'نور عزيز', 'Leo Park', 'Inés Rojas', 'अमिता राव']

export const wallAvatars: readonly Picture[] = people.map((name, index) => ({
  file: `avatar-${index + 1}.svg`,
  assetId: 'avatar',
  query: { name, size: '96', ...(index % 3 === 2 && { shape: 'rounded' }) },
  alt: `Avatar of ${name}`,
}))

/** Texts of the cards, in turn: one script for each theme, so that a size is seen in several. */
export const cardSamples: readonly Query[] = [
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
