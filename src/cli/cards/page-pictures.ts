import { hash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { heightPxMin, widthPxMin } from '../../assets/card/least-picture.ts'
import { findFocus } from '../../assets/og/brand/brand-images.ts'
import type { CardBrand, CardBrands } from '../../assets/og/brand/card-brand.ts'
import { uploadedPicture } from '../../assets/og/brand/read-upload.ts'
import type { WebPictures } from '../../assets/web-pictures.ts'
import { createUploadReaders } from '../../brands/read-uploads.ts'
import { formatOfFileName, type PixelFormatName, pictureFormats } from '../../raster/picture-formats.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { fixedBrand } from '../brands/brand-folder.ts'
import type { PageFacts } from './page-facts.ts'

export type PagePictures = ReturnType<typeof createPagePictures>

/**
 * Pictures of pages in their cards. A card gets its picture as it would get that of a brand, so each picture is a brand with
 * a name of its own, besides which it is the brand that the page would have.
 */
export function createPagePictures(
  folder: string,
  brands: CardBrands,
  drawer: PictureDrawer,
  warn: (line: string) => void,
) {
  const readers = createUploadReaders(drawer)
  const root = realpathSync(folder)
  const paths = new Map<string, { readonly path: string; readonly brand: string | undefined }>()

  async function load(reference: string): Promise<CardBrand> {
    const given = paths.get(reference)
    if (given === undefined) return brands.load(reference)
    const brand = given.brand === undefined ? { key: reference } : await brands.load(given.brand)
    const picture = await readers.picture(new Uint8Array(await readFile(given.path)))
    if ('refused' in picture) {
      warn(`${given.path}: ${picture.refused}; its card is drawn without it`)
      return brand
    }
    return { ...brand, key: reference, picture: { ...picture, focus: findFocus(picture.grid) } }
  }

  return {
    brands: {
      load,
      resolve(reference: string) {
        const given = paths.get(reference)
        if (given === undefined) return brands.resolve(reference)
        const around = given.brand === undefined ? undefined : brands.resolve(given.brand)
        if (typeof around === 'string') return around
        return fixedBrand(reference, `${reference} ${around?.key ?? ''}`)
      },
    } satisfies CardBrands,
    /** Returns the name of the brand that has the first large picture of a page; undefined if it has none in the folder. */
    brandOf({ pictures, base }: PageFacts, brand: string | undefined): string | undefined {
      for (const address of pictures) {
        const path = address.startsWith(base) ? pathIn(root, address.slice(base.length)) : undefined
        const bytes = path === undefined ? undefined : largePicture(path)
        if (path === undefined || bytes === undefined) continue
        const reference = `page-${hash('sha256', bytes, 'hex').slice(0, 32)}`
        paths.set(reference, { path, brand })
        return reference
      }
      return undefined
    },
  }
}

export type PageFaces = ReturnType<typeof createPageFaces>

/** Faces of authors, read from the folder. A card names one by a URL of its content, which leads nowhere. */
export function createPageFaces(folder: string, drawer: PictureDrawer, warn: (line: string) => void) {
  const readers = createUploadReaders(drawer)
  const root = realpathSync(folder)
  const paths = new Map<string, string>()
  return {
    /** Returns the URL of the face that a page names; undefined where it is not in the folder, or is no picture. */
    urlOf({ about, words, base }: PageFacts): string | undefined {
      const named = words['face'] ?? about.face ?? ''
      if (named.startsWith('data:')) return named
      const face = URL.parse(named, base)?.href ?? ''
      const path = face.startsWith(base) ? pathIn(root, face.slice(base.length)) : undefined
      const bytes = path === undefined ? undefined : largePicture(path, faceSidePxMin, faceSidePxMin)
      if (path === undefined || bytes === undefined) return undefined
      const url = `https://face.invalid/${hash('sha256', bytes, 'hex').slice(0, 32)}`
      paths.set(url, path)
      return url
    },
    /** Pictures by URL, those of the folder among them. */
    within: (web: WebPictures): WebPictures => ({
      ...web,
      resolve: ({ face = '', ...query }, meant) =>
        web.resolve(paths.has(face) ? query : { ...query, face }, meant),
      async get(reference = '') {
        const path = paths.get(reference)
        if (path === undefined) return web.get(reference)
        const picture = await readers.picture(new Uint8Array(await readFile(path)))
        if (!('refused' in picture)) return picture
        warn(`${path}: ${picture.refused}; cards are drawn without it`)
        return undefined
      },
    }),
  }
}

const faceSidePxMin = 32

/** The file of an address below the folder; undefined where there is none, or a link leads out. */
function pathIn(root: string, address: string): string | undefined {
  try {
    const path = realpathSync(join(root, decodeURIComponent(address.split(/[?#]/)[0] ?? '')))
    return path.startsWith(root + sep) && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

/** The content of a picture that is large enough for a card and small enough to be read. */
function largePicture(path: string, widthMin = widthPxMin, heightMin = heightPxMin): Uint8Array | undefined {
  const format = formatOfFileName(path)
  if (format === undefined || format === 'svg' || statSync(path).size > uploadedPicture.bytesMax)
    return undefined
  const bytes = readFileSync(path)
  const header = pictureFormats[format satisfies PixelFormatName].readHeader(
    new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  )
  return header !== undefined && header.widthPx >= widthMin && header.heightPx >= heightMin
    ? bytes
    : undefined
}
