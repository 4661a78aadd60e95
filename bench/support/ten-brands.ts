import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { themeNames } from '../../src/assets/og/themes.ts'
import { createBrands } from '../../src/brands/brands.ts'
import { createUploadReaders } from '../../src/brands/read-uploads.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createPictureDrawer } from '../../src/raster/picture-process/picture-drawer.ts'
import { openStore } from '../../src/store/open.ts'

const fontFolder = new URL('../../node_modules/dejavu-fonts-ttf/ttf/', import.meta.url)
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#ff5a36" d="M32 2L62 32L32 62L2 32Z"/><circle cx="32" cy="32" r="9" fill="#103050"/></svg>'

/** Makes ten brands in the database of a server, each with two fonts of its own, a logo and a picture. Returns their slugs. */
export async function makeTenBrands(path: string): Promise<readonly string[]> {
  const store = openStore({ path })
  const pictures = createPictureDrawer()
  const brands = createBrands({ store, clock: systemClock, readers: createUploadReaders(pictures) })
  const fonts = readdirSync(fontFolder).filter((name) => name.endsWith('.ttf'))
  const slugs: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const slug = `brand-${n}`
    const texts = { name: slug, slug, theme: themeNames[n % themeNames.length] ?? 'aurora' }
    const files = {
      logo: fileOf('logo.svg', new TextEncoder().encode(logo)),
      titleFont: fontOf(fonts[2 * n]),
      textFont: fontOf(fonts[2 * n + 1]),
      picture: fileOf('picture.jpg', await photograph(n)),
    }
    const saved = await brands.save({ texts, files, remove: [] })
    if ('mistakes' in saved) throw new Error(JSON.stringify(saved.mistakes))
    slugs.push(slug)
  }
  pictures.close()
  await store.close()
  return slugs
}

function fontOf(name = '') {
  return fileOf(name, readFileSync(fileURLToPath(new URL(name, fontFolder))))
}

function fileOf(name: string, bytes: Uint8Array) {
  return { name, bytes: new Uint8Array(bytes) }
}

/** Blurred noise, which has as much detail as a photograph. */
function photograph(seed: number): Promise<Buffer> {
  const [width, height] = [1200, 800]
  const mean = 60 + 15 * seed
  return sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean, sigma: 60 } },
  })
    .blur(3)
    .jpeg({ quality: 85 })
    .toBuffer()
}
