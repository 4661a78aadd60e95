import { og } from '../../assets/og/asset.ts'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { canonicalQuery } from '../../lib/query-pairs.ts'
import { createPictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import type { Drawer } from '../render/drawer.ts'
import { readThemeFile } from '../render/read-theme-file.ts'
import { createDerivedBrands, openBrands } from '../render/run-brands.ts'
import type { Environment } from '../runtime.ts'
import type { CardOrigin, OpenSource, WantedCard } from './cards-run.ts'
import { createPagePictures } from './page-pictures.ts'
import type { Pictures } from './pictures.ts'

/** @param brand a folder as `brand export` writes one, or the slug of a brand in a database */
export async function openDrawnCards(
  folder: string,
  brand: string | undefined,
  hasPictures: boolean,
  jobs: number,
  env: Environment,
  warn: (line: string) => void,
): Promise<CardOrigin> {
  const drawer = createPictureDrawer()
  try {
    const { brands: given, slug = brand, close } = await openBrands(brand, brand !== undefined, env, drawer)
    const brands = createDerivedBrands(given)
    const pagePictures = createPagePictures(folder, hasPictures, brands, drawer, warn)
    const drawing = { brands, pictures: drawer, withPictures: pagePictures.within }
    return {
      brands,
      brand: slug,
      wear: (file) => brands.wear(readThemeFile(file, warn), slug),
      pagePictures,
      signed: undefined,
      openSource: (pictures, address) =>
        drawnSource(pictures, address, async () => {
          const { createDrawer } = await import('../render/drawer.ts')
          return createDrawer([og], jobs, drawing)
        }),
      close() {
        close()
        drawer.close()
      },
    }
  } catch (error) {
    drawer.close()
    throw error
  }
}

/** Cards as files at an address that ends with a slash. What draws is loaded with the first card that is not there. */
function drawnSource(pictures: Pictures, address: string, load: () => Promise<Drawer>): OpenSource {
  let loading: Promise<Drawer> | undefined

  async function draw({ pairs }: Pick<WantedCard, 'pairs'>) {
    loading ??= load()
    const { parser, draw: drawCard } = await loading
    return drawCard(parser.read({ path: og.path, rawQuery: canonicalQuery(pairs), logFields: {} }))
  }

  return {
    async find({ parsed }) {
      const picture = pictures.find(parsed.tag)
      return picture === undefined ? undefined : address + picture.name
    },
    async ensure(card) {
      const { name } = await pictures.ensure(card.parsed.tag, () => draw(card))
      return address + name
    },
    async layoutWarnings({ pairs }) {
      const others = pairs.filter(([name]) => name !== 'format')
      const layout = parseJson(Buffer.from(await draw({ pairs: [...others, ['format', 'json']] })).toString())
      const warnings = isJsonObject(layout) && Array.isArray(layout['warnings']) ? layout['warnings'] : []
      return warnings.map(({ message }) => String(message))
    },
    faults: async () => [...((await loading)?.faults ?? [])],
    close: async () => (await loading)?.close(),
  }
}
