import type { CardSize } from '../card-sizes.ts'
import { noOrnament, type Ornament } from './ornaments.ts'
import type { Boxes, RowName } from './theme-contract.ts'

type TextBoxes = Pick<Boxes, 'eyebrow' | 'title' | 'subtitle'>

interface WideTitle {
  /** In units, from the largest to the smallest. */
  readonly sizes: readonly number[]
  readonly leading: number
  /** Height of the card that the title leaves free, in units. */
  readonly freeHeight: number
}

/** Eyebrow, title and subtitle as most themes set them on a wide card. */
export function wideTexts(
  { heightPx, unit }: CardSize,
  { sizes, leading, freeHeight }: WideTitle,
): TextBoxes {
  return {
    eyebrow: { sizesPx: [Math.round(30 * unit)], maxLines: 2, ornament: noOrnament },
    title: {
      sizesPx: scaledSizes(sizes, unit),
      maxLines: 4,
      leading,
      maxHeightPx: heightPx - freeHeight * unit,
    },
    subtitle: {
      sizesPx: scaledSizes([36, 32, 28], unit),
      maxLines: 2,
      leading: 1.38,
      maxWidthPx: Math.round(920 * unit),
    },
  }
}

interface UprightTitle {
  readonly largestPx: number
  readonly leading: number
  readonly maxHeightPx: number
}

/** Eyebrow, title and subtitle as most themes set them on a square or tall card. */
export function uprightTexts(
  { shape }: CardSize,
  { largestPx, leading, maxHeightPx }: UprightTitle,
  widthPx: number,
): TextBoxes {
  const isTall = shape === 'tall'
  return {
    eyebrow: { sizesPx: [38], maxLines: 2, ornament: noOrnament },
    title: {
      sizesPx: sizeSteps(largestPx, isTall ? 54 : 48),
      maxLines: isTall ? 8 : 6,
      leading,
      maxHeightPx,
    },
    subtitle: {
      sizesPx: isTall ? [46, 42, 38, 34] : [42, 38, 34],
      maxLines: isTall ? 5 : 4,
      leading: 1.38,
      maxWidthPx: widthPx,
    },
  }
}

type LabelPlace = readonly [row: RowName, ornament?: Ornament]

/** Labels of one size, each with its row and the mark before it. */
export function labelBoxes(
  sizePx: number,
  { byline, domain, footer }: Readonly<Record<'byline' | 'domain' | 'footer', LabelPlace>>,
): Pick<Boxes, 'byline' | 'domain' | 'footer'> {
  function boxOf([row, ornament = noOrnament]: LabelPlace) {
    return { row, sizePx, ornament }
  }
  return { byline: boxOf(byline), domain: boxOf(domain), footer: boxOf(footer) }
}

/** The boxes moved down, where a picture takes the head of the card. */
export function lowered(boxes: Boxes, y: number): Boxes {
  if (y === 0) return boxes
  const { content, text, head, foot, logo } = boxes
  return {
    ...boxes,
    content: { ...content, y: content.y + y },
    text: {
      ...text,
      top: text.top + y,
      bareTop: text.bareTop + y,
      bottom: text.bottom + y,
      bareBottom: text.bareBottom + y,
    },
    head: loweredRow(head, y),
    foot: loweredRow(foot, y),
    logo: { ...logo, area: { ...logo.area, y: logo.area.y + y } },
  }
}

function loweredRow(row: Boxes['head'], y: number): Boxes['head'] {
  const { centreY, rule } = row
  return { ...row, centreY: centreY + y, ...(rule && { rule: { ...rule, y: rule.y + y } }) }
}

/** The sizes that a text may take, each a tenth smaller than the one before. */
export function sizeSteps(largestPx: number, smallestPx: number): readonly number[] {
  const steps: number[] = []
  for (let sizePx = largestPx; sizePx > smallestPx * 1.05; sizePx *= 0.9) steps.push(Math.round(sizePx))
  return [...steps, smallestPx]
}

export function scaledSizes(sizesPx: readonly number[], unit: number): readonly number[] {
  return sizesPx.map((sizePx) => Math.round(sizePx * unit))
}
