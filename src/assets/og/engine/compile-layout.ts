import type { CardSize, Shape } from '../card-sizes.ts'
import { centredSlab, cursorAndEmptyLines, prompt, slab } from '../patterns/window.ts'
import type { Look } from '../theme.ts'
import usualLayouts from '../themes/usual-layouts.json' with { type: 'json' }
import { scaledSizes, sizeSteps } from './boxes.ts'
import type { Boxes, LabelBox, RowBox } from './contracts.ts'
import { dash, disc, globe, noOrnament } from './ornaments.ts'
import type { Conditions, Layout, Length, ThemeFile } from './theme-file.ts'

const marks = { none: noOrnament, disc, globe, dash, prompt, slab, 'centred-slab': centredSlab }

type Sides = Pick<Layout['head'], 'start' | 'end'>

/** The layout of a card, changed by the variants that hold for it. What a file leaves out is as on most cards. */
export function layoutOf({ layouts = {}, variants = [] }: ThemeFile, size: CardSize, look: CardLook): Layout {
  function base(name: Shape): Layout {
    const { like, ...own } = layouts[name] ?? {}
    const { logo } = own
    const all = merged(like === undefined ? usual[name] : base(like), own)
    return like === undefined && logo ? { ...all, logo: logo as Layout['logo'] } : all
  }
  return variants.reduce(
    (layout, { when, like, layout: change }) =>
      holds(when, size, look) ? merged(like === undefined ? layout : base(like), change ?? {}) : layout,
    base(size.shape),
  )
}

const usual: Readonly<Record<Shape, Layout>> = usualLayouts as typeof usualLayouts &
  Readonly<Record<Shape, Layout>>

type CardLook = Pick<Look, 'align' | 'brandBackground'> & Partial<Pick<Look, 'hasLogo'>>

export function holds(
  conditions: Conditions,
  { shape, widthPx, heightPx }: CardSize,
  look: CardLook,
): boolean {
  const { shapes, align, low, picture, logo } = conditions
  const { align: wanted, brandBackground, hasLogo } = look
  return (
    (shapes?.includes(shape) ?? true) &&
    (align?.includes(wanted ?? 'usual') ?? true) &&
    (low === undefined || low === heightPx < 0.8 * widthPx) &&
    (picture === undefined || picture === (brandBackground?.picture !== undefined)) &&
    (logo === undefined || logo === hasLogo)
  )
}

function merged<T extends object>(base: T, change: object): T {
  const both = { ...base }
  for (const [key, value] of Object.entries(change)) {
    const under: unknown = Reflect.get(base, key)
    // A member that is null is left out.
    if (value === null) Reflect.deleteProperty(both, key)
    else Reflect.set(both, key, isGroup(value) && isGroup(under) ? merged(under, value) : value)
  }
  return both
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lengths of a file in px of a card: rounded, but exact where the card is of its shape's first size. */
export function lengthsOf({ zoom = 1 }: Layout, { heightPx, unit: cardUnit }: CardSize) {
  const unit = cardUnit * zoom
  function px(length: number): number {
    return unit === 1 ? length : Math.round(length * unit)
  }
  function x(length: Length): number {
    return typeof length === 'number' ? px(length) : length[0] * heightPx + px(length[1])
  }
  function y(length: Length): number {
    return typeof length === 'number' && length < 0 ? heightPx - px(-length) : x(length)
  }
  return { unit, px, x, y }
}

/** The boxes of a theme file on a card, or on a part of one beside a picture. */
export function boxesOf(file: ThemeFile, size: CardSize, look: Look): Boxes {
  const layout = layoutOf(file, size, look)
  const { widthPx, heightPx, unit: cardUnit } = size
  const { margin, scale = 1, content, text, eyebrow, title, subtitle, logo, cursor } = layout
  const { unit, px, x, y } = lengthsOf(layout, size)
  function between(start: Length, end: Length) {
    return { x: x(start), widthPx: widthPx - x(start) - x(end) }
  }
  /** Nothing where it has the sides of the content. */
  function ownSides({ start, end }: Sides) {
    const { start: usualStart = margin, end: usualEnd = margin } = content
    return start === undefined && end === undefined ? {} : between(start ?? usualStart, end ?? usualEnd)
  }
  function row({ line, align = 'start', rule, ...own }: Layout['head']): RowBox {
    const ruled = rule && { rule: { y: y(rule.y), px: rule.px } }
    return { centreY: y(own.y), linePx: line * unit, align, ...ownSides(own), ...ruled }
  }
  function label({ row, size: sizePx, mark }: Layout['domain']): LabelBox {
    return { row, sizePx, ornament: marks[mark ?? 'none'] }
  }
  const { x: left, widthPx: width } = between(content.start ?? margin, content.end ?? margin)
  const top = y(content.top)
  const logoPx = logo.width * width
  const logoEnd = widthPx - x(logo.end ?? content.end ?? margin)
  const textTop = y(text.top)
  const bottom = y((look.hasLogo ? text.bottomAboveLogo : undefined) ?? text.bottom)
  return {
    content: { x: left, y: top, width, height: y(content.bottom) - top },
    unit: cardUnit * scale,
    text: {
      top: textTop,
      bareTop: text.bareTop === undefined ? textTop : y(text.bareTop),
      bottom,
      bareBottom: text.bareBottom === undefined ? bottom : y(text.bareBottom),
      ...ownSides(text),
      anchor: text.anchor,
      align: text.align ?? 'start',
    },
    eyebrow: {
      sizesPx: sizes(eyebrow, unit),
      maxLines: eyebrow.lines,
      ornament: marks[eyebrow.mark ?? 'none'],
      isAlways: eyebrow.always ?? false,
    },
    title: {
      sizesPx: sizes(title, unit),
      maxLines: title.lines,
      leading: title.leading,
      maxHeightPx:
        typeof title.height === 'number'
          ? title.height * heightPx
          : title.height[0] * heightPx + title.height[1] * unit,
      ...(title.tail !== undefined && { tailUnits: 1000 * title.tail }),
      ...(title.whole !== undefined && { wholePxMin: title.whole * unit }),
    },
    subtitle: {
      sizesPx: sizes(subtitle, unit),
      maxLines: subtitle.lines,
      leading: subtitle.leading,
      maxWidthPx: subtitle.width <= 1 ? subtitle.width * width : px(subtitle.width),
      ...(subtitle.sign && { sign: subtitle.sign }),
    },
    author: label(layout.author),
    domain: label(layout.domain),
    footer: label(layout.footer),
    head: row(layout.head),
    foot: row(layout.foot),
    logo: {
      row: logo.row,
      area: {
        x:
          logo.align === 'start'
            ? left
            : logo.align === 'end'
              ? logoEnd - logoPx
              : left + (width - logoPx) / 2,
        y: y(logo.y),
        width: logoPx,
        height: typeof logo.height === 'number' ? logo.height * unit : x(logo.height),
      },
      sidePx: logo.size * unit,
      align: logo.align,
      ...(logo.anchor !== undefined && { anchor: logo.anchor }),
      ...(logo.gap !== undefined && { gapPx: logo.gap * unit }),
    },
    ...(cursor && {
      finish: cursorAndEmptyLines(bottom, cursor.lines === undefined ? undefined : px(cursor.lines)),
    }),
  }
}

function sizes({ sizes: given }: Layout['eyebrow'], unit: number): readonly number[] {
  return Array.isArray(given) ? scaledSizes(given, unit) : scaledSizes(sizeSteps(given.from, given.to), unit)
}
