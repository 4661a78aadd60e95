import type { Box } from '../svg/bounds.ts'
import { missingAdvance } from './missing-box.ts'

/** Advances of everything that no font draws, in 1/1000 em. */
export const ownAdvances = { emoji: 1180, missing: missingAdvance, hidden: 0 } as const

const emojiSide = 1100
const emojiLeft = (ownAdvances.emoji - emojiSide) / 2
/** Centred on the middle of a capital letter. */
const emojiTop = -914
/** Where the picture of an emoji stands, from a pen on the baseline. */
export const emojiSquare: Box = {
  left: emojiLeft,
  top: emojiTop,
  right: emojiLeft + emojiSide,
  bottom: emojiTop + emojiSide,
}
