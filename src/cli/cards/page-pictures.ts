import { hash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { findFocus } from '../../assets/og/brand/brand-images.ts'
import type { CardBrand } from '../../assets/og/brand/card-brand.ts'
import { heightPxMin, uploadedPicture, widthPxMin } from '../../assets/og/brand/read-upload.ts'
import type { WebPictures } from '../../assets/web-pictures.ts'
import { createUploadReaders } from '../../brands/check-form.ts'
import { formatOfFileName } from '../../raster/picture-formats.ts'
import { readPictureHeader } from '../../raster/picture-headers.ts'
import type { PictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import type { DerivedBrands } from '../render/run-brands.ts'
import type { PageFacts } from './page-facts.ts'

export type PagePictures = ReturnType<typeof createPagePictures>

/** Pictures and faces of pages, read from the folder, for cards as those of brands. @param hasPictures false: cards get the faces alone */
export function createPagePictures(
  folder: string,
  hasPictures: boolean,
  brands: DerivedBrands,
  drawer: PictureDrawer,
  warn: (line: string) => void,
) {
  const readers = createUploadReaders(drawer)
  const root = realpathSync(folder)
  const faces = new Map<string, string>()

  async function readPicture(path: string) {
    const picture = await readers.picture(new Uint8Array(await readFile(path)))
    if (!('refused' in picture)) return picture
    warn(`${path}: ${picture.refused}; cards are drawn without it`)
    return undefined
  }

  function find(address: string, base: string, widthMin: number, heightMin: number) {
    const path = address.startsWith(base) ? pathIn(root, address.slice(base.length)) : undefined
    const bytes = path === undefined ? undefined : largePicture(path, widthMin, heightMin)
    if (path === undefined || bytes === undefined) return undefined
    return { path, name: hash('sha256', bytes, 'hex').slice(0, 32) }
  }

  async function withPicture(brand: CardBrand, path: string): Promise<CardBrand> {
    const picture = await readPicture(path)
    return picture ? { ...brand, picture: { ...picture, focus: findFocus(picture.grid) } } : brand
  }

  return {
    brandOf({ pictures, base }: PageFacts, brand: string | undefined): string | undefined {
      for (const address of hasPictures ? pictures : []) {
        const found = find(address, base, widthPxMin, heightPxMin)
        if (found !== undefined)
          return brands.derive(brand, found.name, (given) => withPicture(given, found.path))
      }
      return undefined
    },
    /** Returns the URL of the face that a page names, which leads nowhere; undefined where it is no picture in the folder. */
    faceOf({ about, words, base }: PageFacts): string | undefined {
      const named = words['face'] ?? about.face ?? ''
      if (named.startsWith('data:')) return named
      const found = find(URL.parse(named, base)?.href ?? '', base, faceSidePxMin, faceSidePxMin)
      if (found === undefined) return undefined
      const url = `https://face.invalid/${found.name}`
      faces.set(url, found.path)
      return url
    },
    within: (web: WebPictures): WebPictures => ({
      ...web,
      resolve: ({ face = '', ...query }, meant) =>
        web.resolve(faces.has(face) ? query : { ...query, face }, meant),
      get: async (reference = '') => {
        const path = faces.get(reference)
        return path === undefined ? web.get(reference) : readPicture(path)
      },
    }),
  }
}

const faceSidePxMin = 32

function pathIn(root: string, address: string): string | undefined {
  try {
    const path = realpathSync(join(root, decodeURIComponent(address.split(/[?#]/)[0] ?? '')))
    return path.startsWith(root + sep) && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

/** The content of a picture that is large enough for a card and small enough to be read. */
function largePicture(path: string, widthMin: number, heightMin: number): Uint8Array | undefined {
  const format = formatOfFileName(path)
  if (format === undefined || format === 'svg' || statSync(path).size > uploadedPicture.bytesMax)
    return undefined
  const bytes = readFileSync(path)
  const header = readPictureHeader(format, bytes)
  return header && header.widthPx >= widthMin && header.heightPx >= heightMin ? bytes : undefined
}
