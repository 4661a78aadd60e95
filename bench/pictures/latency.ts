import { decadeAxis } from './axes.ts'
import { type Axis, drawLines } from './lines.ts'
import { drawHead, linesOf, type MakePicture, marginPx, pictureWidthPx } from './picture.ts'
import { timeText } from './units.ts'

const heightPx = 460

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
  const title = 'Latency under load'
  return {
    name: 'latency',
    title,
    description: series
      .map(
        ({ name, points }) =>
          `${name}: ${points.map(([percent, value]) => `${percent} % within ${timeText(value)}`).join(', ')}.`,
      )
      .join(' '),
    widthPx: pictureWidthPx,
    heightPx,
    draw(sheet) {
      drawHead(
        sheet,
        title,
        '64 connections that ask again some 8 ms later: from the typical answer to the slowest of ten thousand.',
      )
      drawLines(
        sheet,
        {
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
        { left: marginPx + 52, top: 128, widthPx: pictureWidthPx - 2 * marginPx - 52 - 216, heightPx: 260 },
      )
    },
  }
}
