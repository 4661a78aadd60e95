import { decadeAxis, linearAxis } from './axes.ts'
import { linePicture } from './line-picture.ts'
import { linesOf, type MakePicture } from './picture.ts'

/** How the cost of a call grows with the number of keys, each line against itself with a thousand. */
export const growthPicture: MakePicture = (results) => {
  const series = linesOf(results, 'keys').map(({ name, points }) => ({
    name,
    points: points.map(([keys, micros]) => [keys, micros / (points[0]?.[1] ?? 1)] as const),
  }))
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0) return undefined
  return linePicture({
    name: 'growth',
    title: 'Growth with keys',
    subtitle: 'What a call takes with more keys in the database, against the same with a thousand.',
    describe: ({ name, points }) =>
      `${name}: ${(points.at(-1)?.[1] ?? 1).toFixed(2)} times with a million keys.`,
    chart: {
      x: decadeAxis('keys', 1_000, 1_000_000, (value) => value.toLocaleString('en')),
      y: linearAxis({
        title: 'times',
        valueMax: Math.max(2, ...all.map(([, times]) => times)),
        tickCount: 4,
        unit: '×',
      }),
      series,
      bounds: [{ y: 1.3, label: 'bound of a take, 1.3×' }],
      hasDots: true,
    },
    plotHeightPx: 240,
    leftPx: 34,
    rightPx: 236,
  })
}
