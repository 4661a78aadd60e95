import { decadeAxis } from './axes.ts'
import { linePicture } from './line-picture.ts'
import type { Axis } from './lines.ts'
import { linesOf, type MakePicture } from './picture.ts'
import { timeText } from './units.ts'

/** Each nine takes the same room: what is rare is what hurts. */
const percentiles: Axis = {
  title: 'percentile of the answers',
  shareOf: (percent) => Math.log10(50 / (100 - percent)) / Math.log10(50 / 0.01),
  ticks: [50, 90, 99, 99.9, 99.99].map((value) => ({ value, label: String(value) })),
}

/** How long answers take under a steady load, to the ten-thousandth of them. */
export const latencyPicture: MakePicture = (results) => {
  const series = linesOf(results, 'latency')
  const micros = series.flatMap(({ points }) => points.map(([, value]) => value))
  if (micros.length === 0) return undefined
  return linePicture({
    name: 'latency',
    title: 'Latency under load',
    subtitle:
      '64 connections that ask again some 8 ms later: from the typical answer to the slowest of ten thousand.',
    describe: ({ name, points }) =>
      `${name}: ${points.map(([percent, value]) => `${percent} % within ${timeText(value)}`).join(', ')}.`,
    chart: {
      x: percentiles,
      y: decadeAxis(
        'time, each line ten times the one below',
        Math.min(...micros),
        Math.max(...micros),
        timeText,
      ),
      series,
      hasDots: true,
    },
    plotHeightPx: 260,
    leftPx: 52,
    rightPx: 216,
  })
}
