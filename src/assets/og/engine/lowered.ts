import type { Boxes } from './theme-contract.ts'

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
