import { linearAxis } from './axes.ts'
import { drawLines } from './lines.ts'
import { drawHead, linesOf, type MakePicture, marginPx, pictureWidthPx } from './picture.ts'

const heightPx = 440
/** Seconds at the end of each line in which nobody asked. */
const restSeconds = 20

/** What the server holds while different cards are asked for, and while it rests afterwards. */
export const memoryPicture: MakePicture = (results) => {
  const series = linesOf(results, 'memory')
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0) return undefined
  const secondsMax = Math.max(...all.map(([seconds]) => seconds))
  const mbMax = Math.max(250, ...all.map(([, mb]) => mb))
  const title = 'Memory over time'
  return {
    name: 'memory',
    title,
    description: series
      .map(
        ({ name, points }) =>
          `${name}: ${Math.round(points[0]?.[1] ?? 0)} MB at the start, ${Math.round(Math.max(...points.map(([, mb]) => mb)))} MB at most, ${Math.round(points.at(-1)?.[1] ?? 0)} MB after a rest.`,
      )
      .join(' '),
    widthPx: pictureWidthPx,
    heightPx,
    draw(sheet) {
      drawHead(
        sheet,
        title,
        `Resident memory of the server while it draws different cards in all scripts, a third of them PNG, then rests for ${restSeconds} s.`,
      )
      drawLines(
        sheet,
        {
          x: linearAxis({ title: 'seconds', valueMax: secondsMax, tickCount: 6, isTight: true }),
          y: linearAxis({ title: 'MB', valueMax: mbMax, tickCount: 5 }),
          series,
          bounds: [{ y: 220, label: 'bound without brands' }],
        },
        { left: marginPx + 34, top: 128, widthPx: pictureWidthPx - 2 * marginPx - 34 - 140, heightPx: 240 },
      )
    },
  }
}
