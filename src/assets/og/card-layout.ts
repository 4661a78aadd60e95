import { Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'
import { parseHex, white } from '../../lib/color.ts'
import { roundTo } from '../../lib/human-format.ts'
import type { Scene } from '../../raster/scene.ts'
import { hasCode, withoutCodeMarks } from '../../text/clean-text.ts'
import type { PlacedText, TextRole } from './canvas.ts'
import { templateOf, templateRoles, usualTemplate } from './templates.ts'
import { type CardTexts, cardSizes, type Scheme, type SizeName, schemeOf } from './theme.ts'
import type { ThemeName } from './themes.ts'

/** The layout of a text, by the name that the answer has for it, with the parameter that it comes from. */
const usualRoles = [
  ['title', 'title'],
  ['subtitle', 'subtitle'],
  ['eyebrow', 'eyebrow'],
  ['author', 'author'],
  ['domain', 'url'],
  ['footer', 'brand'],
] as const satisfies readonly (readonly [role: TextRole, parameter: string])[]

const shownRoles = [...new Map<string, string>([...usualRoles, ...templateRoles])]

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

/** The layout of a card as data: each line as it is drawn, its size, and what is wrong with it. */
export function cardLayoutJson(card: {
  readonly scene: Scene
  readonly texts: readonly PlacedText[]
  readonly size: SizeName
  readonly wanted: CardTexts
  readonly theme: ThemeName | 'file'
  readonly scheme: Scheme | undefined
  readonly direction: 'ltr' | 'rtl'
  /** Parameters whose pictures could not be had. */
  readonly missing: readonly string[]
}) {
  const { size, wanted, theme, direction, texts, scene } = card
  const wantedTexts: ReadonlyMap<string, unknown> = new Map(
    Object.entries({ ...wanted, ...wanted.template?.own }),
  )
  const name = wanted.template?.name ?? usualTemplate
  const headline = templateOf(name)?.headline ?? 'title'
  const shown = shownRoles.flatMap(([role, parameter]) => {
    const placed = texts.filter((each) => each.role === role)
    const text = wantedTexts.get(role)
    const [first] = placed
    // A theme may set a text of its own where the caller has none.
    if (first === undefined || typeof text !== 'string') return []
    const fitted = placed.map((each) => each.fitted)
    const layout = {
      text: hasCode(role) ? withoutCodeMarks(text) : text,
      lines: fitted.flatMap(({ lines }) => lines.map((line) => line.text)),
      size_px: roundTo(first.fitted.sizePx, 2),
      is_cut: fitted.some(({ truncated }) => truncated),
    }
    return [{ role, parameter, first, layout }]
  })
  const ink = parseHex(texts.find(({ role }) => role === 'title')?.fill ?? '') ?? white
  const background = parseHex(scene.background.color) ?? white
  return {
    template: name,
    theme,
    scheme: card.scheme ?? schemeOf({ ink, background }),
    size,
    width: scene.widthPx,
    height: scene.heightPx,
    direction,
    texts: Object.fromEntries(shown.map(({ role, layout }) => [role, layout])),
    warnings: [
      ...shown.flatMap(({ role, parameter, first, layout }) => [
        ...warning(layout.is_cut, 'cut', parameter, `${parameter} does not fit and ends with an ellipsis`),
        ...(role === headline ? headlineWarnings(first, parameter, size) : []),
      ]),
      ...card.missing.flatMap((name) =>
        warning(true, 'picture_missing', name, `${name} could not be read, so the card is without it`),
      ),
    ],
  }
}

function warning(isThere: boolean, code: string, parameter: string, message: string) {
  return isThere ? [{ code, parameter, message }] : []
}

function headlineWarnings(title: PlacedText, parameter: string, size: SizeName) {
  const { shape, unit, widthPx, heightPx } = cardSizes[size]
  if (shape !== 'wide') return []
  const { sizePx } = title.fitted
  const [start, end] = inkOf(title)
  const [squareStart, squareEnd] = [(widthPx - heightPx) / 2, (widthPx + heightPx) / 2]
  const isOutside = start < squareStart || end > squareEnd
  const small = `${parameter} is so long that it has ${Math.round(sizePx)} px`
  return [
    ...warning(sizePx < smallTypePx * unit, 'small_type', parameter, small),
    ...warning(isOutside, 'outside_square', parameter, `a square crop of the middle cuts the ${parameter}`),
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
