import type { LabelRole } from '../canvas.ts'
import { centredSlab, cursorAndEmptyLines, prompt, slab } from '../patterns/window.ts'
import { startIn } from '../shapes.ts'
import type { CardSize, Look, Shape } from '../theme.ts'
import { type Boxes, type LabelBox, type RowBox, scaledSizes, sizeSteps } from './contracts.ts'
import { dash, disc, globe, noOrnament } from './ornaments.ts'
import { type Conditions, type Layout, type Length, type ThemeFile, usualLook } from './theme-file.ts'

const marks = { none: noOrnament, disc, globe, dash, prompt, slab, 'centred-slab': centredSlab }

type Sides = Pick<Layout['head'], 'start' | 'end'>

/** The layout of a card, changed by the variants that hold for it. What a file leaves out is as on most cards. */
export function layoutOf({ layouts = {}, variants = [] }: ThemeFile, size: CardSize, look: CardLook): Layout {
  function base(name: Shape): Layout {
    const { like, ...own } = layouts[name] ?? {}
    const { logo } = own
    const all = merged(like === undefined ? usualLook.layouts[name] : base(like), own)
    return like === undefined && logo ? { ...all, logo: logo as Layout['logo'] } : all
  }
  return variants.reduce(
    (layout, { when, like, layout: change }) =>
      holds(when, size, look) ? merged(like === undefined ? layout : base(like), change ?? {}) : layout,
    base(size.shape),
  )
}

type CardLook = Pick<Look, 'align' | 'brandBackground'> & Partial<Pick<Look, 'hasLogo'>>

export function holds(conditions: Conditions, size: CardSize, look: CardLook): boolean {
  const { shape, widthPx, heightPx } = size
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

/** The boxes of a theme file on a card, or on a part of one beside or below a picture, whose top is at `partY`. */
export function boxesOf(file: ThemeFile, size: CardSize, look: Look, partY = 0): Boxes {
  const layout = layoutOf(file, size, look)
  const { widthPx, heightPx, unit: cardUnit } = size
  const { margin, scale = 1, content, text, eyebrow, title, subtitle, logo, cursor } = layout
  const { unit, px, x, y: ofPart } = lengthsOf(layout, size)
  function y(length: Length): number {
    return partY + ofPart(length)
  }
  /** The sides of the content where it has none of its own. */
  function sides({ start = content.start ?? margin, end = content.end ?? margin }: Sides) {
    return { x: x(start), widthPx: widthPx - x(start) - x(end) }
  }
  function row({ line, align = 'start', rule, ...own }: Layout['head']): RowBox {
    const ruled = rule && { rule: { y: y(rule.y), px: rule.px } }
    return { centreY: y(own.y), linePx: line * unit, align, ...sides(own), ...ruled }
  }
  function label({ row, size: sizePx, mark }: Layout['domain']): LabelBox {
    return { row, sizePx, ornament: marks[mark ?? 'none'] }
  }
  const { x: left, widthPx: width } = sides({})
  const top = y(content.top)
  const logoPx = logo.width * width
  const logoEnd = widthPx - x(logo.end ?? content.end ?? margin)
  const [heightShare, more] = typeof title.height === 'number' ? [title.height, 0] : title.height
  const bottom = y((look.hasLogo ? text.bottomAboveLogo : undefined) ?? text.bottom)
  return {
    content: { x: left, y: top, width, height: y(content.bottom) - top },
    unit: cardUnit * scale,
    text: {
      top: y(text.top),
      bareTop: y(text.bareTop ?? text.top),
      bottom,
      bareBottom: text.bareBottom === undefined ? bottom : y(text.bareBottom),
      ...sides(text),
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
      maxHeightPx: heightShare * heightPx + more * unit,
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
        x: logo.align === 'end' ? logoEnd - logoPx : left + startIn(logo.align, width - logoPx),
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
      // Texts below a picture are lower than this, so that they have no signs of empty lines.
      finish: cursorAndEmptyLines(bottom - partY, cursor.lines === undefined ? undefined : px(cursor.lines)),
    }),
  }
}

function sizes({ sizes: given }: Layout['eyebrow'], unit: number): readonly number[] {
  return Array.isArray(given) ? scaledSizes(given, unit) : scaledSizes(sizeSteps(given.from, given.to), unit)
}

/** Free width beside the column of a centred wide card within its middle square, in units. */
const besideColumn = 20

/**
 * The boxes about the middle of the card: texts, labels and logo in one column, on a wide card within its middle square.
 * A logo has the head for itself, and the labels go to the foot.
 */
export function centred(boxes: Boxes, { widthPx, heightPx, shape, unit }: CardSize, hasLogo: boolean): Boxes {
  const { text, title, subtitle, logo } = boxes
  const isWide = shape === 'wide'
  const widthMax = isWide ? heightPx - 2 * Math.round(besideColumn * unit) : widthPx
  function columnIn({ x, widthPx: ownPx }: Boxes['text'] | Boxes['head']) {
    const width = Math.min(widthMax, widthPx - 2 * Math.max(x, widthPx - x - ownPx))
    return { x: (widthPx - width) / 2, widthPx: width }
  }
  function row(own: Boxes['head']): Boxes['head'] {
    const linePx = Math.min(own.linePx, 44 * boxes.unit)
    const isJoined = own.isJoined ?? own.align !== 'center'
    return { ...own, ...columnIn(own), linePx, align: 'center', isJoined }
  }
  const column = columnIn(text)
  return {
    ...boxes,
    text: { ...text, ...column, anchor: text.align === 'center' ? text.anchor : 0.5, align: 'center' },
    title: isWide
      ? { ...title, maxLines: 5, maxHeightPx: Math.max(title.maxHeightPx, heightPx * 0.55) }
      : title,
    subtitle: {
      ...subtitle,
      maxWidthPx: Math.min(subtitle.maxWidthPx, column.widthPx),
      maxLines: Math.max(subtitle.maxLines, 3),
    },
    ...(hasLogo && logo.row === 'head' && labelsInFoot(boxes)),
    head: row(boxes.head),
    foot: row(boxes.foot),
    logo: { ...logo, area: { ...logo.area, x: column.x, width: column.widthPx }, align: 'center' },
  }
}

/** The boxes for code, which needs the height of a wide card: labels of the head go to the foot where no logo stays there. */
export function forCode(boxes: Boxes, { shape }: CardSize, hasLogo: boolean): Boxes {
  const { text, logo } = boxes
  if (shape !== 'wide' || text.bareTop === text.top || (hasLogo && logo.row === 'head')) return boxes
  return { ...boxes, ...labelsInFoot(boxes) }
}

export function labelsInFoot({ author, domain, footer }: Boxes): Pick<Boxes, LabelRole> {
  const row = 'foot'
  return { author: { ...author, row }, domain: { ...domain, row }, footer: { ...footer, row } }
}
