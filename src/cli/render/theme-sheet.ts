import { readFile } from 'node:fs/promises'
import { badge } from '../../assets/badge/asset.ts'
import { og } from '../../assets/og/asset.ts'
import { noBrands } from '../../assets/og/brand/card-brand.ts'
import { readPicture } from '../../assets/og/brand/read-upload.ts'
import { templateNames } from '../../assets/og/templates.ts'
import { cardSizes, schemes, sizeNames } from '../../assets/og/theme.ts'
import type { ThemeSource } from '../../assets/og/themes.ts'
import { projectFile } from '../../lib/package-files.ts'
import { canonicalQuery } from '../../lib/query-pairs.ts'
import { svgToPng } from '../../raster/draw-svg.ts'
import { createPictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import samples from '../../site/data/samples.json' with { type: 'json' }
import { examplePictureFiles } from '../../site/sample-pictures.ts'
import { writeWhole } from '../cards/site-folder.ts'
import { processorCount } from '../processor-count.ts'
import { createProgressBar, forEachAtOnce } from '../run-program.ts'
import { createDrawer } from './drawer.ts'
import { createDerivedBrands } from './run-brands.ts'
import words from './theme-sheet.json' with { type: 'json' }
import page from './theme-sheet.txt' with { type: 'text' }

export async function writeThemeSheet(path: string, theme: ThemeSource): Promise<void> {
  const [example = ''] = examplePictureFiles
  const pictures = createPictureDrawer()
  const jobs = processorCount()
  const brands = createDerivedBrands(noBrands)
  const parts: { close(): void }[] = [pictures]
  try {
    const picture = await readPicture(await readFile(projectFile(example)), { pictures, client: '' })
    const drawer = await createDrawer([og, badge], jobs, {
      brands,
      pictures,
      withPictures: (web) => ({
        ...web,
        resolve: (_, meant) => web.resolve({}, meant),
        get: async (reference) => (reference === undefined ? undefined : picture),
      }),
    })
    parts.push(drawer)
    const isPage = /\.html$/i.test(path)
    const cells = cellsOf({ brand: brands.wear(theme), format: isPage ? 'webp' : 'png', width: '300' })
    const images: string[] = []
    const progress = createProgressBar(cells.length)
    await forEachAtOnce(cells, 2 * jobs, async ({ path, query, box }, index) => {
      const rawQuery = canonicalQuery(Object.entries(query))
      const picture = await drawer.draw(drawer.parser.read({ path, rawQuery, logFields: {} }))
      const url = `data:image/${query.format};base64,${Buffer.from(picture).toString('base64')}`
      images[index] = `<image ${box} href="${url}"/>`
      progress.step()
    }).finally(progress.end)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${sheetPx.width}" height="${sheetPx.height}"><rect width="100%" height="100%" fill="#777"/>${images.join('\n')}</svg>`
    await writeWhole(path, isPage ? page.replace('{svg}', () => svg) : svgToPng(svg))
  } finally {
    for (const part of parts.reverse()) part.close()
  }
}

type Query = Readonly<Record<string, string>>

const gapPx = 12
const labelPx = 230
const cardPx = 132

const columns = schemes.flatMap((scheme) =>
  sizeNames.map((size) => {
    const { widthPx, heightPx } = cardSizes[size]
    return { query: { scheme, size }, widthPx: Math.round((cardPx * widthPx) / heightPx) }
  }),
)

const texts: Readonly<Record<string, Query>> = samples.templates
const more: Readonly<Record<string, Query>> = words.more

/** Each template with its texts in each script, and with the pictures that it takes; more of the usual card. */
const rows = [...new Set([...templateNames, ...Object.keys(more)])].flatMap((label) => {
  const [template = ''] = label.split(' ')
  const query = { lang: 'en', ...texts[template], ...more[label], template }
  return Object.entries<Query>(words.scripts).map(([value, said]) => {
    const own = Object.entries(said).filter(([name]) => name in query)
    return { label, value, query: { ...query, ...Object.fromEntries(own) } }
  })
})

const sheetPx = {
  width: columns.reduce((sum, { widthPx }) => sum + widthPx + gapPx, labelPx + 2 * gapPx),
  height: rows.length * (cardPx + gapPx) + gapPx,
}

function cellsOf(look: { readonly brand: string; readonly format: string; readonly width: string }) {
  return rows.flatMap(({ label, value, query }, row) => {
    const y = gapPx + row * (cardPx + gapPx)
    let x = labelPx + 2 * gapPx
    const cards = columns.map((column) => {
      const box = `x="${x}" y="${y}" width="${column.widthPx}" height="${cardPx}"`
      x += column.widthPx + gapPx
      return { path: og.path, query: { ...query, ...column.query, ...look }, box }
    })
    const box = `x="${gapPx}" y="${y}" width="${labelPx}" height="20" preserveAspectRatio="xMinYMin"`
    return [{ path: badge.path, query: { label, value, format: 'png' }, box }, ...cards]
  })
}
