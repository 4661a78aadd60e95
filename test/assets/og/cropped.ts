import type { Box } from '../../../src/svg/bounds.ts'

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
