import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { CardLogo } from '../../assets/og/brand/brand-images.ts'
import type { CardBrand, ResolvedBrand } from '../../assets/og/brand/card-brand.ts'
import type { BrandEntry } from '../../brands/brand-directory.ts'
import {
  type BrandForm,
  type BrandTextField,
  brandFileFields,
  brandTextFields,
  type FieldMistake,
  type UploadedFile,
} from '../../brands/brand-form.ts'
import { closestWord } from '../../lib/edit-distance.ts'
import { isJsonObject } from '../../lib/json.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import type { BrandFileField } from '../../store/brands.ts'
import { writeShapesSvg } from '../../svg/shapes-svg.ts'
import { type CardFont, fontBytes } from '../../text/brand-fonts/brand-font.ts'
import { writeWhole } from '../cards/site-folder.ts'
import type { RowValue } from '../rows/read-rows.ts'

const jsonBytesMax = 64 * 1024

/** Reads a brand from a folder, which is the whole brand, or returns all mistakes as lines. */
export function readBrandFolder(folder: string, bytesMax: Readonly<Record<BrandFileField, number>>) {
  const json = readWithin(folder, brandJsonName, jsonBytesMax)
  if (typeof json === 'string') return { mistakes: [`${brandJsonName} ${json}`] }
  const parsed = parseBrandJson(new TextDecoder().decode(json))
  if ('length' in parsed) return { mistakes: parsed.map((mistake) => `${brandJsonName}: ${mistake}`) }
  const files: Partial<Record<BrandFileField, UploadedFile>> = {}
  const mistakes: string[] = []
  for (const field of brandFileFields) {
    const isUnnamed = field === 'themeFile' && existsSync(join(folder, themeFileName))
    const name = parsed[field] ?? (isUnnamed ? themeFileName : '')
    if (name === '') continue
    const bytes = readWithin(folder, name, bytesMax[field])
    if (typeof bytes === 'string')
      mistakes.push(`${brandJsonName}: ${field} ${JSON.stringify(name)} ${bytes}`)
    else files[field] = { name, bytes }
  }
  if (mistakes.length > 0) return { mistakes }
  const texts = brandTextFields
    .filter((field) => field !== 'access' || parsed[field] !== undefined)
    .map((field) => [field, parsed[field] ?? ''])
  const remove = brandFileFields.filter((field) => !files[field])
  return { texts: Object.fromEntries(texts), files, remove }
}

/** An error that tells what is wrong with a form of a folder, a line each, at its file. */
export function folderError(folder: string, { files }: BrandForm, mistakes: readonly FieldMistake[]): Error {
  const lines = mistakes.map(({ field, message }) => {
    const theme = field === 'themeFile' ? files.themeFile?.name : undefined
    return `${join(folder, theme ?? brandJsonName)}: ${theme ? '' : `${field} `}${message}`
  })
  return new Error(lines.join('\n'))
}

/** The bytes of a file in the folder itself, or why there are none, as the end of a sentence. */
function readWithin(folder: string, name: string, bytesMax: number): Uint8Array<ArrayBuffer> | string {
  // A path would lead to files that do not belong to the brand.
  if (/[/\\\0]/.test(name) || name === '.' || name === '..')
    return 'must be the name of a file in the folder, without a path'
  const path = join(folder, name)
  try {
    if (dirname(realpathSync(path)) !== realpathSync(folder))
      return 'must be a file in the folder, not a link out of it'
    return readFile(path, bytesMax)
  } catch (error) {
    return `cannot be read: ${reasonOf(error)}`
  }
}

function readFile(path: string, bytesMax: number) {
  // Opening a pipe that nobody writes to would never return.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return 'is no file'
    if (stats.size > bytesMax) return `must have at most ${bytesMax} bytes, not ${stats.size}`
    return new Uint8Array(readFileSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes what cards of a brand are drawn with, so that `import` gives the same look. Returns the names of the files.
 * @param theme the brand's theme file
 */
export async function writeBrandFolder(
  folder: string,
  { slug, name, access, revision }: Pick<BrandEntry, 'slug' | 'name' | 'access' | 'revision'>,
  brand: CardBrand,
  theme: Uint8Array | undefined,
): Promise<readonly string[]> {
  refuseOther(folder, slug)
  mkdirSync(folder, { recursive: true })
  const { key: _, logo, titleFont, textFont, picture, themeFile: _source, ...texts } = brand
  const files = {
    ...(logo && { logo: logoFile(logo) }),
    ...(titleFont && { titleFont: await fontFile('title-font', titleFont) }),
    ...(textFont && { textFont: await fontFile('text-font', textFont) }),
    ...(picture && { picture: { name: 'picture.jpg', bytes: picture.jpeg } }),
    ...(theme && { themeFile: { name: themeFileName, bytes: theme } }),
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
    // That of an earlier export stays in the folder.
    ...(existsSync(join(folder, themeFileName)) && { themeFile: '' }),
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
  const ends: Readonly<Record<string, string>> = { OTTO: 'otf', wOF2: 'woff2' }
  return { name: `${name}.${ends[String.fromCharCode(...bytes.subarray(0, 4))] ?? 'ttf'}`, bytes }
}

export const brandJsonName = 'brand.json'
/** It is the brand's theme file also where `brand.json` does not name it. */
const themeFileName = 'theme.yaml'

/** `revision` is the number that an export was made of. `import` ignores it, because each import is a new revision. */
export type BrandJson = Readonly<Partial<Record<BrandTextField | BrandFileField | 'revision', string>>>

const fields: readonly string[] = [...brandTextFields, ...brandFileFields, 'revision']

export function parseBrandJson(text: string): BrandJson | readonly string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return [`is not JSON: ${error instanceof Error ? error.message : String(error)}`]
  }
  if (!isJsonObject(value)) return ['must be a JSON object']
  const mistakes = Object.entries(value).flatMap(([name, entry]) => {
    if (!fields.includes(name)) {
      const meant = closestWord(name, fields)
      return [`${name} is no field${meant === undefined ? '' : `; did you mean ${meant}?`}`]
    }
    return typeof entry === 'string' ? [] : [`${name} must be a text`]
  })
  return mistakes.length > 0 ? mistakes : (value as BrandJson)
}

export function brandFolder(brand: RowValue | undefined): string | undefined {
  if (typeof brand !== 'string') return undefined
  return /[./\\]/.test(brand) || existsSync(join(brand, brandJsonName)) ? brand : undefined
}

export function fixedBrand(reference: string, key: string): ResolvedBrand {
  return {
    reference,
    key,
    keyIds: undefined,
    isCurrent: () => true,
    recheck: () => undefined,
    count: () => {},
  }
}
