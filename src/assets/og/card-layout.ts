import { Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'
import { contrastRatio, parseHex, white } from '../../lib/color.ts'
import type { Scene } from '../../raster/scene.ts'
import type { PlacedText, TextRole } from './canvas.ts'
import { cardSizes, type SizeName } from './card-sizes.ts'
import type { CardTexts, Scheme } from './theme.ts'
import type { ThemeName } from './themes.ts'

/** The layout of a text, by the name that the answer has for it, with the parameter that it comes from. */
const shownRoles = [
  ['title', 'title'],
  ['subtitle', 'subtitle'],
  ['eyebrow', 'eyebrow'],
  ['author', 'author'],
  ['domain', 'url'],
  ['footer', 'brand'],
] as const satisfies readonly (readonly [role: TextRole, parameter: string])[]

/** In px of the first wide size: a smaller title cannot be read in a list of links. */
const smallTypePx = 42

const textLayout = Type.Object({
  text: string,
  /** The drawn lines, with hyphens and ellipses. */
  lines: Type.Array(string),
  size_px: Type.Number(),
  is_cut: Type.Boolean(),
})

export const cardLayoutSchema = Type.Object({
  template: string,
  theme: string,
  scheme: string,
  size: string,
  width: Type.Integer(),
  height: Type.Integer(),
  direction: string,
  texts: Type.Object({
    title: textLayout,
    ...Object.fromEntries(shownRoles.slice(1).map(([role]) => [role, Type.Optional(textLayout)])),
  }),
  warnings: Type.Array(Type.Object({ code: string, parameter: string, message: string })),
})

interface Warning {
  readonly code: 'cut' | 'small_type' | 'outside_square'
  readonly parameter: string
  readonly message: string
}

interface LaidOutCard {
  readonly scene: Scene
  readonly texts: readonly PlacedText[]
  readonly size: SizeName
  readonly wanted: CardTexts
  readonly theme: ThemeName
  readonly scheme: Scheme | undefined
  readonly direction: 'ltr' | 'rtl'
}

/** The layout of a card as data: each line as it is drawn, its size, and what is wrong with it. */
export function cardLayoutJson(card: LaidOutCard) {
  const { size, wanted, theme, direction, texts, scene } = card
  const shown = shownRoles.flatMap(([role, parameter]) => {
    const placed = texts.find((each) => each.role === role)
    const text = wanted[role]
    // A theme may set a text of its own where the caller has none.
    return placed === undefined || text === undefined ? [] : [{ role, parameter, placed, text }]
  })
  return {
    template: 'standard',
    theme,
    scheme: card.scheme ?? drawnScheme(card),
    size,
    width: scene.widthPx,
    height: scene.heightPx,
    direction,
    texts: Object.fromEntries(shown.map(({ role, placed, text }) => [role, layoutOf(placed, text)])),
    warnings: shown.flatMap(({ role, parameter, placed }) => [
      ...(placed.fitted.truncated
        ? [
            {
              code: 'cut',
              parameter,
              message: `${parameter} does not fit and ends with an ellipsis`,
            } as const,
          ]
        : []),
      ...(role === 'title' ? titleWarnings(placed, size) : []),
    ]),
  }
}

function layoutOf({ fitted: { lines, sizePx, truncated } }: PlacedText, text: string) {
  return {
    text,
    lines: lines.map((line) => line.text),
    size_px: Math.round(sizePx * 100) / 100,
    is_cut: truncated,
  }
}

/** A dark card has light letters. */
function drawnScheme({ scene, texts }: LaidOutCard): Scheme {
  const [ink, ground] = [texts.find(({ role }) => role === 'title')?.fill ?? '', scene.background.color].map(
    (color) => contrastRatio(parseHex(color) ?? white, white),
  ) as [number, number]
  return ink < ground ? 'dark' : 'light'
}

function titleWarnings(title: PlacedText, size: SizeName): readonly Warning[] {
  const { shape, unit, widthPx, heightPx } = cardSizes[size]
  if (shape !== 'wide') return []
  const { sizePx } = title.fitted
  const [start, end] = inkOf(title)
  const [squareStart, squareEnd] = [(widthPx - heightPx) / 2, (widthPx + heightPx) / 2]
  const isOutside = start < squareStart || end > squareEnd
  return [
    ...(sizePx < smallTypePx * unit
      ? [
          {
            code: 'small_type',
            parameter: 'title',
            message: `title is so long that it has ${Math.round(sizePx)} px`,
          } as const,
        ]
      : []),
    ...(isOutside
      ? [
          {
            code: 'outside_square',
            parameter: 'title',
            message: 'a square crop of the middle cuts the title',
          } as const,
        ]
      : []),
  ]
}

/** The reach of a text's ink, in px from the left. */
function inkOf({ fitted, left, widthPx, align }: PlacedText): readonly [start: number, end: number] {
  const reaches = fitted.lines.map((line) => {
    const free = widthPx - line.widthPx
    const x = left + (align === 'left' ? 0 : align === 'right' ? free : free / 2)
    return [x + line.ink.left, x + line.ink.right] as const
  })
  return [Math.min(...reaches.map(([start]) => start)), Math.max(...reaches.map(([, end]) => end))]
}
