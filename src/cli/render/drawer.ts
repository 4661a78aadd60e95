import { setTimeout as sleep } from 'node:timers/promises'
import { createCardPages, noPageStore } from '../../assets/card/card-pages.ts'
import { noSites } from '../../assets/card/card-sites.ts'
import type { Asset } from '../../assets/kit/asset.ts'
import type { ProduceContext } from '../../assets/kit/producer.ts'
import { createLivePages } from '../../assets/live-pages.ts'
import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import { createDrawingPool, type DrawingPool } from '../../assets/og/drawing-pool.ts'
import { createWebPictures, type WebPictures } from '../../assets/web-pictures.ts'
import { readConfig } from '../../config.ts'
import { Problem } from '../../errors.ts'
import type { ParsedRequest } from '../../http/request-context.ts'
import { createRequestParser } from '../../http/request-parser.ts'
import type { Body } from '../../lib/body.ts'
import { systemClock } from '../../lib/clock.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { createTextEngine } from '../../text/text-engine.ts'

export type Drawer = Awaited<ReturnType<typeof createDrawer>>

/** Once a second, while the machine has no capacity. */
const triesMax = 60

const context: ProduceContext = {
  method: 'GET',
  request: { headers: new Headers() },
  baseUrl: 'http://localhost',
  clientAddress: '127.0.0.1',
  logFields: {},
}

interface DrawerDeps {
  readonly brands: CardBrands
  readonly pictures: PictureDrawer
  readonly withPictures?: (web: WebPictures) => WebPictures
}

export async function createDrawer(
  assets: readonly Asset[],
  jobs: number,
  { brands, pictures, withPictures = (web) => web }: DrawerDeps,
) {
  const faults = new Set<string>()
  // Each has a thread and a queue of its own, so that large pictures are drawn side by side too.
  function startPool() {
    return createDrawingPool({ threads: 1, onFault: (fault) => void faults.add(fault) })
  }
  const pools = Array.from({ length: jobs }, startPool)
  let turn = 0
  function nextPool() {
    turn = (turn + 1) % pools.length
    return pools[turn] ?? startPool()
  }
  const raster: Omit<DrawingPool, 'close'> = {
    cardSvg: (...given) => nextPool().cardSvg(...given),
    cardJson: (...given) => nextPool().cardJson(...given),
    cardPicture: (...given) => nextPool().cardPicture(...given),
    cardLayout: (...given) => nextPool().cardLayout(...given),
    scenePicture: (...given) => nextPool().scenePicture(...given),
    svgPng: (...given) => nextPool().svgPng(...given),
  }
  const livePages = createLivePages({
    config: readConfig({}, String),
    clock: systemClock,
    readFile: String,
    isDivided: () => false,
  })
  const parts = {
    text: createTextEngine(),
    raster,
    pictures,
    livePages,
    cardSites: noSites,
    cardPages: createCardPages(livePages, noPageStore, systemClock),
    webPictures: withPictures(createWebPictures({ livePages, pictures, clock: systemClock })),
    brands,
    stats: { read: noStats, prometheus: noStats },
  }
  const served = await Promise.all(
    assets.map(async (asset) => ({ asset, producer: await asset.createProducer(parts) })),
  )
  return {
    parser: createRequestParser(served),
    faults,
    draw: async ({ producer, query }: ParsedRequest): Promise<Body> => {
      if ('answer' in producer) throw new Error('Live assets are not drawn.')
      for (let tries = 1; ; tries++) {
        try {
          return await producer.produce(query, context)
        } catch (error) {
          const isBusy = error instanceof Problem && error.code === 'busy'
          if (!isBusy || tries === triesMax) throw error
          await sleep(1000)
        }
      }
    },
    close(): void {
      for (const pool of pools) pool.close()
    },
  }
}

function noStats(): never {
  throw new Error('Nothing is counted without a server.')
}
