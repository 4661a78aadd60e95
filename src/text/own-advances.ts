import type { Box } from '../svg/bounds.ts'
import type { PathData } from '../svg/write-path.ts'

export const missingAdvance = 640

/** One thin box, the height of a capital, for a character that no font has. */
export const missingBox: PathData = {
  body: 'h520v720h-520zm40 40v640h440v-640z',
  startX: 60,
  startY: -720,
  endX: 100,
  endY: -680,
  ink: { left: 60, top: -720, right: 580, bottom: 0 },
}

/** Advances of everything that no font draws, in 1/1000 em. */
export const ownAdvances = { emoji: 1180, missing: missingAdvance, hidden: 0, mark: 110 } as const

const emojiSide = 1100
const emojiLeft = (ownAdvances.emoji - emojiSide) / 2
/** Centred on the middle of a capital letter. */
const emojiTop = -914
/** The square of an emoji's picture, from a pen on the baseline. */
export const emojiSquare: Box = {
  left: emojiLeft,
  top: emojiTop,
  right: emojiLeft + emojiSide,
  bottom: emojiTop + emojiSide,
}
