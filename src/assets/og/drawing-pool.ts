import { Worker } from 'node:worker_threads'
import type { Body } from '../../lib/body.ts'
import { weakMemo } from '../../lib/memo.ts'
import { isExecutable } from '../../lib/package-files.ts'
import type { QueueClient } from '../../lib/waiter.ts'
import type { PictureEncoding } from '../../raster/picture-formats.ts'
import type { Scene } from '../../raster/scene.ts'
import { createThreadPool, type ThreadJob, type ThreadPoolOptions } from '../../raster/thread-pool.ts'
import { type CardFont, factsText, fontBytes, type StoredFont } from '../../text/brand-fonts/brand-font.ts'
import type { CardBrand } from './brand/card-brand.ts'
import type { Card, ComposedCard } from './card-renderer.ts'
import { cardSizes } from './theme.ts'

export interface PixelPicture {
  readonly widthPx: number
  readonly encoding: PictureEncoding
}

type CardForm = PixelPicture | 'svg' | 'json' | 'layout'

export type DrawingJob =
  | { readonly kind: 'warm up' }
  | { readonly kind: 'card'; readonly card: SentCard; readonly as: CardForm }
  | ({ readonly kind: 'scene'; readonly scene: Scene } & PixelPicture)
  | { readonly kind: 'svg'; readonly svg: string }

/** A card as it is sent to a thread, which asks for the bytes of a font by its key. */
export interface SentCard extends Omit<Card, 'brand' | 'client'> {
  readonly brand?: ReturnType<typeof sentBrand>
}

export type SentFont = Omit<StoredFont, 'read'>

export type DrawingResult = Body | ComposedCard

export type DrawingPool = ReturnType<typeof createDrawingPool>

export type DrawingPoolOptions = Partial<Omit<ThreadPoolOptions, 'warmUp'>>

/** Draws cards, scenes and SVGs of ours off the main thread. All functions throw as `draw` of `createThreadPool`. */
export function createDrawingPool(options: DrawingPoolOptions = {}) {
  const warmUp: DrawingJob = { kind: 'warm up' }
  const pool = createThreadPool<DrawingResult>({ spawn: spawnThread, warmUp, ...options })

  function draw(message: DrawingJob, client: QueueClient, others: Partial<ThreadJob> = {}) {
    return pool.draw({ message, pixels: 0, ...others }, client)
  }

  async function drawCard(card: Card, as: CardForm): Promise<DrawingResult> {
    const { brand, client = '', ...others } = card
    const { params } = card
    const fonts = [brand?.titleFont, brand?.textFont].filter((font) => font !== undefined)
    const { widthPx, heightPx } = cardSizes[params.size ?? 'og']
    const pixels = typeof as === 'string' ? 0 : as.widthPx ** 2 * (heightPx / widthPx)
    let unread: { readonly error: unknown } | undefined
    async function read(key: string): Promise<Uint8Array> {
      const font = fonts.find((each) => each.key === key)
      if (font === undefined) throw new Error('The card has no such font.')
      return fontBytes(font).catch((error) => {
        unread = { error }
        throw error
      })
    }
    try {
      const message = { kind: 'card', card: { ...others, brand: sentBrand(brand) }, as } as const
      return await draw(message, client, { pixels, read })
    } catch (error) {
      throw unread === undefined ? error : unread.error
    }
  }

  return {
    cardSvg: (card: Card) => drawCard(card, 'svg') as Promise<Body>,
    cardJson: (card: Card) => drawCard(card, 'json') as Promise<Body>,
    cardPicture: (card: Card, picture: PixelPicture) =>
      drawCard(card, picture) as Promise<Uint8Array<ArrayBuffer>>,
    cardLayout: (card: Card) => drawCard(card, 'layout') as Promise<ComposedCard>,
    /** Draws a scene as a picture, `widthPx` wide. A part that cannot be drawn is left out. */
    scenePicture: (scene: Scene, widthPx: number, encoding: PictureEncoding, client: QueueClient = '') =>
      draw({ kind: 'scene', scene, widthPx, encoding }, client, {
        pixels: widthPx ** 2 * (scene.heightPx / scene.widthPx),
      }) as Promise<Uint8Array<ArrayBuffer>>,
    svgPng: (svg: string, client: QueueClient = '') =>
      draw({ kind: 'svg', svg }, client) as Promise<Uint8Array<ArrayBuffer>>,
    close: pool.close,
  }
}

function sentBrand(brand: CardBrand | undefined) {
  if (brand === undefined) return undefined
  const { titleFont, textFont } = brand
  return { ...brand, titleFont: titleFont && sentFont(titleFont), textFont: textFont && sentFont(textFont) }
}

const sentFont = weakMemo((font: CardFont): SentFont => {
  return { key: font.key, facts: 'bytes' in font ? factsText(font.bytes) : font.facts }
})

/**
 * `node:worker_threads` because Bun, Deno and executables all have it, with exit events and `unref`, which Deno's web Worker lacks.
 * In an executable the whole program is one file in the place of `src/main.ts`, and the thread's program keeps its folder.
 */
export function spawnThread(): Worker {
  const file = isExecutable ? './assets/og/drawing-thread.ts' : './drawing-thread.ts'
  return new Worker(new URL(file, import.meta.url))
}
