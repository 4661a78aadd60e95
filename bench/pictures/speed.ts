import type { SectionResult } from '../report/section-result.ts'
import { type BarPanel, drawPanel, panelGapPx, panelHeightPx } from './bars.ts'
import { drawHead, type MakePicture, marginPx, pictureWidthPx, rowsOf } from './picture.ts'
import { digits } from './units.ts'

/** The rows to compare: section and name of each, and the title in the picture. */
const comparisons = [
  { section: 'cards', what: 'SVG, warm words', title: 'Share card, SVG' },
  { section: 'cards', what: 'PNG', title: 'Share card, PNG' },
  { section: 'cards', what: 'SVG, every word new', title: 'Share card, SVG, every word new' },
  { section: 'brands', what: 'PNG with a background picture', title: 'Card of a brand, PNG on a photograph' },
  { section: 'badge', what: 'flat, ASCII', title: 'Badge' },
  { section: 'avatar', what: 'plain Latin name', title: 'Avatar' },
  { section: 'sitemap', what: '50000 URLs', title: 'Sitemap of 50,000 URLs' },
  { section: 'preview', what: 'one page, read whole', title: 'Page read for a preview' },
] as const

const columns = 2
const columnGapPx = 44
const headPx = 112

/** How long one thing takes here, and with those who are asked for the same. */
export const speedPicture: MakePicture = (results) => {
  const panels = comparisons.flatMap((comparison) => panelOf(results, comparison) ?? [])
  if (panels.length === 0) return undefined
  const lines = Array.from({ length: Math.ceil(panels.length / columns) }, (_, line) =>
    panels.slice(line * columns, (line + 1) * columns),
  )
  const heights = lines.map((line) => Math.max(...line.map(panelHeightPx)) + panelGapPx)
  const title = 'Speed beside others'
  return {
    name: 'speed',
    title,
    description: panels.map(descriptionOf).join(' '),
    widthPx: pictureWidthPx,
    heightPx: headPx + heights.reduce((sum, height) => sum + height, 0) + 2,
    draw(sheet) {
      drawHead(sheet, title, 'CPU time of one, each panel on a scale of its own. Shorter is better.')
      const widthPx = (pictureWidthPx - 2 * marginPx - columnGapPx) / columns
      let y = headPx
      for (const [index, line] of lines.entries()) {
        for (const [column, panel] of line.entries())
          drawPanel(sheet, panel, marginPx + column * (widthPx + columnGapPx), y, widthPx)
        y += heights[index] ?? 0
      }
    },
  }
}

function panelOf(
  results: readonly SectionResult[],
  { section, what, title }: (typeof comparisons)[number],
): BarPanel | undefined {
  const compared = rowsOf(results, section).flatMap((row) => (row.what === what ? (row.compared ?? []) : []))
  const [first] = compared
  if (first === undefined) return undefined
  const peers = compared.map(({ peerName, peer }) => ({ name: peerName, micros: peer }))
  return { title, bars: [{ name: 'Mintmark', micros: first.ours }, ...peers] }
}

function descriptionOf({ title, bars: [own, ...peers] }: BarPanel): string {
  const others = peers.map(
    ({ name, micros }) => `${name} takes ${digits(micros / (own?.micros ?? 1))} times as long`,
  )
  return `${title}: ${others.join(', ')}.`
}
