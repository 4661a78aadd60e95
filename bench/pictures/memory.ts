import { linearAxis } from './axes.ts'
import { linePicture } from './line-picture.ts'
import { linesOf, type MakePicture } from './picture.ts'

/** Seconds at the end of each line in which nobody asked. */
const restSeconds = 20

/** Memory of the server while different cards are asked for, and while it rests afterwards. */
export const memoryPicture: MakePicture = (results) => {
  const series = linesOf(results, 'memory')
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0) return undefined
  const secondsMax = Math.max(...all.map(([seconds]) => seconds))
  const mbMax = Math.max(250, ...all.map(([, mb]) => mb))
  return linePicture({
    name: 'memory',
    title: 'Memory over time',
    subtitle: `Resident memory of the server while it draws different cards in all scripts, a third of them PNG, then rests for ${restSeconds} s.`,
    describe: ({ name, points }) =>
      `${name}: ${Math.round(points[0]?.[1] ?? 0)} MB at the start, ${Math.round(Math.max(...points.map(([, mb]) => mb)))} MB at most, ${Math.round(points.at(-1)?.[1] ?? 0)} MB after a rest.`,
    chart: {
      x: linearAxis({ title: 'seconds', valueMax: secondsMax, tickCount: 6, isTight: true }),
      y: linearAxis({ title: 'MB', valueMax: mbMax, tickCount: 5 }),
      series,
      bounds: [{ y: 220, label: 'bound without brands' }],
    },
    plotHeightPx: 240,
    leftPx: 34,
    rightPx: 140,
  })
}
