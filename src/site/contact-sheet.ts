import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { createAvatarRenderer } from '../assets/avatar/avatar-renderer.ts'
import { avatarOf, avatarQuery } from '../assets/avatar/query.ts'
import { createBadgeOutliner } from '../assets/badge/badge-outliner.ts'
import { badgeOf, badgeQuery } from '../assets/badge/query.ts'
import { createCardRenderer } from '../assets/og/card-renderer.ts'
import { ogQuery } from '../assets/og/query.ts'
import { decodeQuery } from '../http/query.ts'
import { svgToPng } from '../raster/svg-to-png.ts'
import { createTextEngine } from '../text/text-engine.ts'
import { pictureSize } from './picture-size.ts'
import { type Picture, wallAvatars, wallBadges, wallCards } from './sample-pictures.ts'

/** `bun run docs:cards`: draws the README's picture with our own renderers. */
const engine = createTextEngine()
const renderers = {
  cards: createCardRenderer(engine),
  badges: createBadgeOutliner(engine),
  avatars: createAvatarRenderer(engine),
}

const columns = 3
const cardWidthPx = 400
const cardHeightPx = 210
const gapPx = 20
const widthPx = columns * cardWidthPx + (columns + 1) * gapPx

async function drawn({ assetId, query }: Picture): Promise<string> {
  const raw = String(new URLSearchParams(query))
  switch (assetId) {
    case 'og': {
      const card = valid(decodeQuery(ogQuery, raw))
      await renderers.cards.prepare(card)
      return renderers.cards.svg(card)
    }
    case 'badge':
      return renderers.badges.svg(badgeOf(valid(decodeQuery(badgeQuery, raw))))
    default: {
      const avatar = avatarOf(valid(decodeQuery(avatarQuery, raw)))
      await renderers.avatars.prepare(avatar)
      return renderers.avatars.svg(avatar)
    }
  }
}

function valid<Query>(decoded: { readonly value: Query } | { readonly errors: readonly unknown[] }): Query {
  if ('errors' in decoded) throw new Error(JSON.stringify(decoded.errors))
  return decoded.value
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function image(svg: string, { x, y, width, height }: Box): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" href="${source}"/>`
}

function cardBox(index: number): Box {
  const column = index % columns
  const row = Math.floor(index / columns)
  const x = gapPx + column * (cardWidthPx + gapPx)
  const y = gapPx + row * (cardHeightPx + gapPx)
  return { x, y, width: cardWidthPx, height: cardHeightPx }
}

/** A centred row of pictures of equal height. */
async function row(pictures: readonly Picture[], y: number, height: number, gap: number): Promise<string> {
  const svgs = await Promise.all(pictures.map(drawn))
  const widths = svgs.map((svg) => {
    const size = pictureSize({ body: svg, contentType: 'image/svg+xml' })
    return size === undefined ? height : (size.widthPx / size.heightPx) * height
  })
  const total = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1))
  let x = (widthPx - total) / 2
  return svgs
    .map((svg, index) => {
      const width = widths[index] ?? 0
      const placed = image(svg, { x, y, width, height })
      x += width + gap
      return placed
    })
    .join('')
}

const cards = await Promise.all(
  wallCards.map(async (card, index) => image(await drawn(card), cardBox(index))),
)
const below = gapPx + Math.ceil(wallCards.length / columns) * (cardHeightPx + gapPx)
const badges = await row(wallBadges, below + 8, 24, 14)
const avatars = await row(wallAvatars, below + 54, 56, 18)
const heightPx = below + 134
const canvas = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}"><rect width="100%" height="100%" fill="#f4f4f2"/>${cards.join('')}${badges}${avatars}</svg>`
writeFileSync(process.argv[2] ?? 'docs/cards.png', svgToPng(canvas, { zoom: 1.5 }))
