import { drawLines, type LineChart } from './lines.ts'
import { drawHead, marginPx, type Picture, pictureWidthPx } from './picture.ts'

interface LinePicture {
  readonly name: string
  readonly title: string
  readonly subtitle: string
  /** Describes one line for the picture's text alternative. */
  readonly describe: (line: LineChart['series'][number]) => string
  readonly chart: LineChart
  readonly plotHeightPx: number
  /** Room for what is written at the axis, and at the ends of the lines. */
  readonly leftPx: number
  readonly rightPx: number
}

const plotTopPx = 128
/** The labels of the axis below the plot. */
const belowPx = 72

/** A picture with one plot. */
export function linePicture(look: LinePicture): Picture {
  const { name, title, subtitle, describe, chart, plotHeightPx, leftPx, rightPx } = look
  return {
    name,
    title,
    description: chart.series.map(describe).join(' '),
    widthPx: pictureWidthPx,
    heightPx: plotTopPx + plotHeightPx + belowPx,
    draw(sheet) {
      drawHead(sheet, title, subtitle)
      drawLines(sheet, chart, {
        left: marginPx + leftPx,
        top: plotTopPx,
        widthPx: pictureWidthPx - 2 * marginPx - leftPx - rightPx,
        heightPx: plotHeightPx,
      })
    },
  }
}
