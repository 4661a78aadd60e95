import { existsSync, readFileSync } from 'node:fs'
import type { PlacedText } from '../../../src/assets/og/canvas.ts'
import { type CardParams, createCardRenderer } from '../../../src/assets/og/card-renderer.ts'
import { type ThemeName, themeNames } from '../../../src/assets/og/themes.ts'
import type { Box } from '../../../src/svg/bounds.ts'
import { cleanText } from '../../../src/text/clean-text.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { hostileTexts } from '../../text/texts.ts'
import tables from './corpus.json' with { type: 'json' }

export const cards = createCardRenderer(createTextEngine())

export interface NamedCard {
  readonly id: string
  readonly params: CardParams
}

type Words = Partial<Omit<CardParams, 'theme'>> & { readonly id: string; readonly title: string }

const places = ['../../fixtures/cards.json', '../../../../shared/cases/cards.json']

/** Every card of the cases, cleaned as a route cleans it, in every theme. */
export function corpus(): readonly NamedCard[] {
  const words = places
    .map((place) => new URL(place, import.meta.url))
    .filter((place) => existsSync(place))
    .flatMap((place): Words[] => JSON.parse(readFileSync(place, 'utf8')).cases)
  return inEveryTheme([...words, ...furnished, ...bare])
}

/** Texts that somebody sends to break a layout, in every field, one theme each. */
export function hostileCards(): readonly NamedCard[] {
  const texts = hostileTexts().filter(({ text }) => text !== '')
  return texts.map(({ id, text }, index) => {
    const cut = Array.from(text)
    const params = {
      title: cut.slice(0, 80).join(''),
      subtitle: [...cut, ...cut].slice(0, 120).join(''),
      author: cut.slice(-80).join(''),
      url: cut.slice(0, 120).join(''),
      theme: themeNames[index % themeNames.length] ?? 'aurora',
    }
    return { id: `${id} ${params.theme}`, params }
  })
}

export function inEveryTheme(words: readonly Words[]): readonly NamedCard[] {
  return words.flatMap((card) =>
    themeNames.map((theme) => ({ id: `${card.id} ${theme}`, params: cleaned(card, theme) })),
  )
}

function cleaned({ id: _, lang, accent, ...texts }: Words, theme: ThemeName): CardParams {
  const { title = '', ...others } = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, cleanText(String(text))]),
  )
  return { theme, title, ...others, ...(lang ? { lang } : {}), ...(accent ? { accent } : {}) }
}

const long = {
  title: 'How we cut cold starts by 83% in Bun, and why your avatar service should too now',
  subtitle:
    'A field report on caching, glyph outlines and honest benchmarks: what we measured, what failed, and what shipped today',
}

const furnished: readonly Words[] = [
  { id: 'full', ...long, author: 'Ada Lovelace', url: 'https://www.engineering.example.com/' },
  {
    id: 'full-rtl',
    title: 'كيف خفضنا زمن بدء التشغيل',
    subtitle: 'تقرير ميداني عن التخزين',
    author: 'أحمد الخوارزمي',
    url: 'example.com',
  },
  {
    id: 'wide',
    title: 'W'.repeat(80),
    subtitle: 'W'.repeat(120),
    author: 'W'.repeat(80),
    url: 'w'.repeat(120),
  },
  {
    id: 'wide-han',
    title: '龘'.repeat(80),
    subtitle: '龘'.repeat(120),
    author: '龘'.repeat(80),
    url: '龘'.repeat(120),
  },
  { id: 'tall', title: 'ក្ដ្រូ '.repeat(11), subtitle: 'ក្ដ្រូ '.repeat(17), author: 'ក្ដ្រូ', url: 'example.com' },
]

const bare = tables.bare as readonly Words[]

/** Where the ink of each line stands on the card, in px. */
export function inkBoxes({ fitted, align, left, top, widthPx }: PlacedText) {
  return fitted.lines.map(({ widthPx: lineWidthPx, baselinePx, ink }) => {
    const free = widthPx - lineWidthPx
    const x = left + (align === 'left' ? 0 : align === 'right' ? free : free / 2)
    const y = top + baselinePx
    return { left: x + ink.left, top: y + ink.top, right: x + ink.right, bottom: y + ink.bottom }
  })
}

/** Networks show a wide card in these proportions. */
export const proportions = [
  ['2:1', 2],
  ['1.91:1', 1.91],
  ['16:9', 16 / 9],
] as const
/** The largest corners that some of them round. */
const cornerPx = 24

/** Whether a card in this proportion, with round corners, shows less than all of a box. */
export function isCropped(
  { left, top, right, bottom }: Box,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  proportion: number,
): boolean {
  const sidePx = Math.max(0, (widthPx - heightPx * proportion) / 2)
  const edgePx = Math.max(0, (heightPx - widthPx / proportion) / 2)
  const xPx = Math.min(left - sidePx, widthPx - sidePx - right)
  const yPx = Math.min(top - edgePx, heightPx - edgePx - bottom)
  return xPx < 0 || yPx < 0 || (xPx < cornerPx && yPx < cornerPx)
}
