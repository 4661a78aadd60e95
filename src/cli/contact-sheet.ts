import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { createBadgeRenderer } from '../assets/badge/badge-renderer.ts'
import { badgeOf, badgeQuery } from '../assets/badge/query.ts'
import { readConfig } from '../config.ts'
import { decodeQuery } from '../http/query.ts'
import { svgToPng } from '../raster/draw-svg.ts'
import { createService } from '../service.ts'
import { picturePath, pictureSize } from '../site/pictures.ts'
import { type Picture, wallAvatars, wallBadges, wallCards } from '../site/sample-pictures.ts'
import { createTextEngine } from '../text/text-engine.ts'

/** `bun run docs:cards`: draws the README's picture from the sample pictures, as the service serves them. */
const env = { DATABASE_URL: 'sqlite::memory:', MASTER_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' }
const service = await createService({ config: readConfig(env, String), readFile: String, write: () => {} })

const columns = 3
const cardWidthPx = 400
const cardHeightPx = 210
const gapPx = 20
const widthPx = columns * cardWidthPx + (columns + 1) * gapPx

const badges = createBadgeRenderer(createTextEngine())

/** Badges are outlined here: those that are served have text, which our rasterizer has no font for. */
async function svgOf(picture: Picture): Promise<string> {
  if (picture.assetId === 'badge') {
    const badge = decodeQuery(badgeQuery, String(new URLSearchParams(picture.query)))
    if ('value' in badge) return badges.outlines(badgeOf(badge.value))
  }
  const response = await service.fetch(new Request(`http://localhost${picturePath(picture)}`), () => '::1')
  return response.text()
}

function image(svg: string, x: number, y: number, width: number, height: number): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" href="${source}"/>`
}

async function cardImage(card: Picture, index: number): Promise<string> {
  const x = gapPx + (index % columns) * (cardWidthPx + gapPx)
  const y = gapPx + Math.floor(index / columns) * (cardHeightPx + gapPx)
  return image(await svgOf(card), x, y, cardWidthPx, cardHeightPx)
}

async function row(pictures: readonly Picture[], y: number, height: number, gap: number): Promise<string> {
  const svgs = await Promise.all(pictures.map(svgOf))
  const widths = svgs.map((svg) => {
    const size = pictureSize({ body: svg, contentType: 'image/svg+xml' })
    return size === undefined ? height : (size.widthPx / size.heightPx) * height
  })
  const total = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1))
  let x = (widthPx - total) / 2
  return svgs
    .map((svg, index) => {
      const width = widths[index] ?? 0
      const placed = image(svg, x, y, width, height)
      x += width + gap
      return placed
    })
    .join('')
}

const cards = await Promise.all(wallCards.map(cardImage))
const below = gapPx + Math.ceil(wallCards.length / columns) * (cardHeightPx + gapPx)
const badgeRow = await row(wallBadges, below + 8, 24, 14)
const avatarRow = await row(wallAvatars, below + 54, 56, 18)
const heightPx = below + 134
const canvas = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"><rect width="100%" height="100%" fill="#f4f4f2"/>${cards.join('')}${badgeRow}${avatarRow}</svg>`
writeFileSync(process.argv[2] ?? 'docs/cards.png', svgToPng(canvas, 1.5))
await service.close()
