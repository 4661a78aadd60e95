import { og } from '../../assets/og/asset.ts'
import type { CardBrands } from '../../assets/og/brand/card-brands.ts'
import { canonicalQuery } from '../../lib/canonical-query.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import type { Drawer } from '../render/drawer.ts'
import type { CardSource, WantedCard } from './card-source.ts'
import type { Pictures } from './pictures.ts'

interface DrawnSourceOptions {
  readonly pictures: Pictures
  /** The address of the folder of pictures, with a slash at its end. */
  readonly address: string
  readonly jobs: number
  readonly brands: CardBrands
  readonly drawer: PictureDrawer
}

/** Cards as files. What draws is loaded with the first card that is not there. */
export function createDrawnSource({ pictures, address, jobs, brands, drawer }: DrawnSourceOptions) {
  let loading: Promise<Drawer> | undefined

  async function load(): Promise<Drawer> {
    const { createDrawer } = await import('../render/drawer.ts')
    return createDrawer([og], jobs, { brands, pictures: drawer })
  }
  async function draw({ pairs }: WantedCard) {
    loading ??= load()
    const { parser, draw: drawCard } = await loading
    return drawCard(parser.read({ path: og.path, rawQuery: canonicalQuery(pairs), logFields: {} }))
  }

  const source: CardSource = {
    async find({ parsed }) {
      const picture = pictures.find(parsed.tag)
      return picture === undefined ? undefined : address + picture.name
    },
    async ensure(card) {
      const { name } = await pictures.ensure(card.parsed.tag, () => draw(card))
      return address + name
    },
  }
  return {
    ...source,
    /** Parts that cards lack because they cannot be drawn. */
    faults: async () => [...((await loading)?.faults ?? [])],
    close: async () => (await loading)?.close(),
  }
}
