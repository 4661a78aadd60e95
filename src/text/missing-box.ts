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
