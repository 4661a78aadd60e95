import { Elysia } from 'elysia'
import type { PublicDocuments } from '../http/public-documents.ts'
import { contextOf } from '../http/request-context.ts'
import { type Body, textBody } from '../lib/body.ts'
import mark from './assets/mark.svg' with { type: 'text' }

const faviconSides = [16, 32, 48] as const

const touchIconSide = 180

/** Units of the mark's view box. */
const markSide = 24

/** A home screen crops icons to its own shape, so that this one has its colour to the edge. */
const touchMark = mark.replace(
  /<rect [^>]*(fill="[^"]*")\/>/,
  `<rect width="${markSide}" height="${markSide}" $1/>`,
)

/** The icons that browsers and phones ask for at fixed addresses, drawn from the mark. */
export function icons(documents: PublicDocuments) {
  function icon(contentType: string, write: () => Body | Promise<Body>) {
    const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=86400' }
    return ({ request }: { readonly request: Request }) => {
      const context = contextOf(request)
      return documents.answer(context, { key: context.path, headers, write })
    }
  }
  return new Elysia({ name: 'icons' })
    .get(
      '/icon.svg',
      icon('image/svg+xml', () => textBody(mark)),
    )
    .get('/favicon.ico', icon('image/x-icon', favicon))
    .get(
      '/apple-touch-icon.png',
      icon('image/png', () => draw(touchMark, touchIconSide)),
    )
}

async function draw(svg: string, side: number) {
  const { svgToPng } = await import('../raster/draw-svg.ts')
  const sized = svg.replace('<svg ', `<svg width="${markSide}" height="${markSide}" `)
  return svgToPng(sized, side / markSide)
}

/** An ICO file of PNGs: a header of 6 bytes, 16 bytes about each picture, then the pictures. */
async function favicon(): Promise<Uint8Array<ArrayBuffer>> {
  const pictures = await Promise.all(faviconSides.map((side) => draw(mark, side)))
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index
    const side = faviconSides[index] ?? 0
    head.writeUInt8(side, entry)
    head.writeUInt8(side, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(picture.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += picture.length
  }
  return new Uint8Array(Buffer.concat([head, ...pictures]))
}
