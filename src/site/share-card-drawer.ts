import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { CardParams } from '../assets/og/card-renderer.ts'
import type { DrawingPool } from '../assets/og/drawing-pool.ts'
import { pictureBody } from '../assets/picture-files.ts'
import type { FreeDrawings } from '../http/free-drawings.ts'
import type { RenderedAsset } from '../http/parsed-request.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { shareSize, shareTexts } from './share-cards.ts'

/** The product's own look: the colour of its pages, and its mark in white. */
const ownBrand: CardBrand = {
  key: 'mintmark itself',
  theme: 'poster',
  accent: '2f4bc9',
  footer: 'Mintmark',
  logo: {
    kind: 'shapes',
    key: 'mintmark itself',
    width: 42,
    height: 32,
    shapes: [
      {
        d: 'M8 0H34C38.42 0 42 3.58 42 8V24C42 28.42 38.42 32 34 32H8C3.58 32 0 28.42 0 24V8C0 3.58 3.58 0 8 0Z',
        fill: '#ffffff',
      },
      { d: 'M9 9.3H25V12.7H9Z', fill: '#2f4bc9' },
      { d: 'M9 16.3H33V19.7H9Z', fill: '#2f4bc9' },
      { d: 'M9 22.3H19V25.7H9Z', fill: '#2f4bc9' },
    ],
  },
}

export interface ShareCardDrawerDeps {
  readonly cache: ByteCache<RenderedAsset>
  readonly raster: Pick<DrawingPool, 'cardSvg' | 'cardPicture'>
  readonly freeDrawings: FreeDrawings
}

export type ShareCardDrawer = ReturnType<typeof createShareCardDrawer>

/** Draws the Open Graph cards of our own pages. */
export function createShareCardDrawer({ cache, raster, freeDrawings }: ShareCardDrawerDeps) {
  async function draw(params: CardParams): Promise<RenderedAsset> {
    const card = { params, brand: ownBrand, client: 'pages' }
    const drawing = raster.cardPicture(card, { widthPx: shareSize.widthPx, encoding: { format: 'png' } })
    return { body: await pictureBody(drawing), contentType: 'image/png', filename: 'card.png' }
  }

  /** Returns a function that draws the file or throws `busy`; undefined for a file that is no such card. */
  return (file: string, client: string): (() => RenderedAsset | Promise<RenderedAsset>) | undefined => {
    const params = shareTexts.get(/^share-(.+)\.png$/.exec(file)?.[1] ?? '')
    if (params === undefined) return undefined
    const key = `picture ${file}`
    return () => {
      if (!cache.has(key)) freeDrawings.claimOwn(key, client)
      return cache.getOrCreate(key, () => draw(params))
    }
  }
}
