import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CardBrand } from '../../assets/og/brand/card-brand.ts'
import type { CardLogo } from '../../assets/og/brand/card-logo.ts'
import type { BrandEntry } from '../../brands/brand-directory.ts'
import { writeShapesSvg } from '../../svg/shapes-svg.ts'
import type { CardFont } from '../../text/brand-fonts/brand-font.ts'
import { fontBytes } from '../../text/brand-fonts/font-bytes.ts'
import { writeWhole } from '../cards/write-file.ts'
import { type BrandJson, brandJsonName, parseBrandJson } from './brand-json.ts'

/** Writes what cards of a brand are drawn with, so that `import` gives the same look. Returns the names of the files. */
export async function writeBrandFolder(
  folder: string,
  { slug, name, access, revision }: Pick<BrandEntry, 'slug' | 'name' | 'access' | 'revision'>,
  brand: CardBrand,
): Promise<readonly string[]> {
  refuseOther(folder, slug)
  mkdirSync(folder, { recursive: true })
  const { key: _, logo, titleFont, textFont, picture, ...texts } = brand
  const files = {
    ...(logo && { logo: logoFile(logo) }),
    ...(titleFont && { titleFont: await fontFile('title-font', titleFont) }),
    ...(textFont && { textFont: await fontFile('text-font', textFont) }),
    ...(picture && { picture: { name: 'picture.jpg', bytes: picture.jpeg } }),
  }
  const focus = picture && `${picture.focus.x},${picture.focus.y}`
  const names = Object.entries(files).map(([field, file]) => [field, file.name])
  const json: BrandJson = {
    name,
    slug,
    access,
    revision: String(revision),
    ...texts,
    ...(focus && { focus }),
    ...Object.fromEntries(names),
  }
  for (const file of Object.values(files)) await writeWhole(join(folder, file.name), file.bytes)
  // Last: a folder that has it has all files that it names.
  await writeWhole(join(folder, brandJsonName), `${JSON.stringify(json, undefined, 2)}\n`)
  return [...Object.values(files).map((file) => file.name), brandJsonName]
}

/** Nothing of anybody else is overwritten: a folder has to be empty, or an earlier export of the same brand. */
function refuseOther(folder: string, slug: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  const path = join(folder, brandJsonName)
  const earlier = existsSync(path) ? parseBrandJson(readFileSync(path, 'utf8')) : {}
  if (!('slug' in earlier) || earlier.slug !== slug)
    throw new Error(`${folder} is not empty and holds no export of ${slug}. Name another folder.`)
}

function logoFile(logo: CardLogo): { readonly name: string; readonly bytes: Uint8Array } {
  if (logo.kind === 'pixels') return { name: 'logo.png', bytes: logo.png }
  return { name: 'logo.svg', bytes: new TextEncoder().encode(writeShapesSvg(logo)) }
}

async function fontFile(name: string, font: CardFont) {
  const bytes = await fontBytes(font)
  return { name: `${name}.${fontEnd(bytes)}`, bytes }
}

function fontEnd(bytes: Uint8Array): string {
  const ends: Readonly<Record<string, string>> = { OTTO: 'otf', wOF2: 'woff2' }
  return ends[String.fromCharCode(...bytes.subarray(0, 4))] ?? 'ttf'
}
