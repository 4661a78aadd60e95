import { Buffer, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { formats } from '../assets/kit/formats.ts'
import { type BrandPicture, type CardLogo, readShapesLogo } from '../assets/og/brand/brand-images.ts'
import {
  isMarkup,
  pixelTypeOf,
  readLogo,
  readPicture,
  UploadRefused,
  uploadedLogo,
  uploadedPicture,
} from '../assets/og/brand/read-upload.ts'
import { opaqueColor } from '../lib/color.ts'
import { formatBinaryBytes } from '../lib/human-format.ts'
import { pictureFormats } from '../raster/picture-formats.ts'
import {
  type PictureDrawer,
  PictureLimited,
  PictureTooLong,
} from '../raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../raster/thread-pool.ts'
import type { BrandFileField, BrandFileRow } from '../store/brands.ts'
import type { BrandFont } from '../text/brand-fonts/brand-font.ts'
import { FontRefused, fontBytesMax, fontFileBytesMax } from '../text/brand-fonts/font-limits.ts'
import { FontNotChecked, readFont } from '../text/brand-fonts/read-font.ts'
import { cleanText, countCodePoints } from '../text/clean-text.ts'
import { fileContent } from './brand-directory.ts'
import {
  type BrandChange,
  type BrandForm,
  type BrandTextField,
  brandChoiceFields,
  brandChoices,
  brandFileFields,
  type FieldMistake,
  type FileContent,
  type ReadFile,
  type ThemeUpload,
  type UploadedFile,
} from './brand-form.ts'

export async function checkForm(form: BrandForm, existing: string | undefined, readers: UploadReaders) {
  const mistakes: FieldMistake[] = [...wrongSlug(form.texts.slug?.trim(), existing)]
  if (existing === undefined && form.texts.name === undefined)
    mistakes.push({ field: 'name', message: 'is required' })
  const texts = checkTexts(form.texts, mistakes)
  const files = await readUploads(form, readers, mistakes)
  const change: BrandChange = { ...texts, files }
  return { change, mistakes }
}

function wrongSlug(given: string | undefined, existing: string | undefined): readonly FieldMistake[] {
  if (existing !== undefined) {
    if (given === undefined || given === existing) return []
    return [{ field: 'slug', message: `must stay ${existing}, because URLs of cards have it` }]
  }
  if (given === undefined || !/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(given))
    return [{ field: 'slug', message: slugRule }]
  // The page that makes a brand is `/admin/brands/new`.
  return given === 'new' ? [{ field: 'slug', message: 'must not be that of a page of the admin' }] : []
}

const slugRule = 'must be 1 to 40 lower-case letters, digits and hyphens, no hyphen at an end'
const nameLengthMax = 80
const footerLengthMax = 120

/** Checks the text fields, except for the slug. What is wrong is added to `mistakes`. */
export function checkTexts(
  texts: BrandForm['texts'],
  mistakes: FieldMistake[],
): Pick<BrandChange, 'name' | 'access' | 'look'> {
  const values: Partial<Record<BrandTextField, unknown>> = {}
  for (const [field, rule, parse] of textRules) {
    const text = texts[field]?.trim()
    if (text === undefined) continue
    // An empty field drops what was there.
    values[field] = text === '' ? undefined : parse(text)
    if (field === 'name' && cleanText(text) === '')
      mistakes.push({ field, message: `is required: 1 to ${nameLengthMax} characters` })
    if (text !== '' && values[field] === undefined) mistakes.push({ field, message: rule })
  }
  const { name, access, ...look } = values
  return { name, access, look } as Pick<BrandChange, 'name' | 'access' | 'look'>
}

type TextRule = readonly [field: BrandTextField, rule: string, parse: (text: string) => unknown]

const colorRule = `must be ${formats['css-color']?.meaning}`

const textRules: readonly TextRule[] = [
  ...brandChoiceFields.map((field): TextRule => {
    const values: readonly string[] = brandChoices[field]
    return [field, `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`, oneOf(values)]
  }),
  ['name', `must be 1 to ${nameLengthMax} characters`, textUpTo(nameLengthMax)],
  ['access', 'must be everyone or keys', oneOf(['everyone', 'keys'])],
  ['accent', colorRule, colorOf],
  ['ground', colorRule, colorOf],
  ['ground2', colorRule, colorOf],
  ['footer', `must be one line of up to ${footerLengthMax} characters`, textUpTo(footerLengthMax)],
  ['focus', 'must be two numbers from 0 to 100 with a comma between them, such as 50,30', focusOf],
]

/** Hex without `#`. */
function colorOf(text: string): string | undefined {
  return opaqueColor(text)?.slice(1)
}

function oneOf(values: readonly string[]) {
  return (text: string): string | undefined => values.find((value) => value === text)
}

function textUpTo(lengthMax: number) {
  return (text: string): string | undefined => {
    const cleaned = cleanText(text)
    return cleaned !== '' && countCodePoints(cleaned) <= lengthMax ? cleaned : undefined
  }
}

function focusOf(text: string): { readonly x: number; readonly y: number } | undefined {
  const parts = /^(\d{1,3}(?:\.\d{1,2})?)\s*,\s*(\d{1,3}(?:\.\d{1,2})?)$/.exec(text)
  const [x, y] = [Number(parts?.[1]), Number(parts?.[2])]
  return x <= 100 && y <= 100 ? { x, y } : undefined
}

export interface UploadReaders {
  /** Bytes that each file may have; as uploads of a form when missing. */
  readonly bytesMax?: Readonly<Record<BrandFileField, number>>
  logo(bytes: Uint8Array<ArrayBuffer>): Promise<CardLogo | UploadRefusal>
  font(bytes: Uint8Array<ArrayBuffer>): Promise<BrandFont | UploadRefusal>
  picture(bytes: Uint8Array<ArrayBuffer>): Promise<Omit<BrandPicture, 'focus'> | UploadRefusal>
  theme(bytes: Uint8Array<ArrayBuffer>): Promise<ThemeUpload | UploadRefusal>
}

/** The reasons why a file is refused, each as the end of a sentence that begins with its field. */
export interface UploadRefusal {
  readonly refused: string | readonly string[]
}

export const uploadBytesMax: Readonly<Record<BrandFileField, number>> = {
  logo: uploadedLogo.bytesMax,
  titleFont: fontFileBytesMax,
  textFont: fontFileBytesMax,
  picture: uploadedPicture.bytesMax,
  themeFile: 64 * 1024,
}

const uploadNameLengthMax = 120

/** Reads the files of a form. What is wrong is added to `mistakes`. */
export async function readUploads(
  { files, remove }: Pick<BrandForm, 'files' | 'remove'>,
  readers: UploadReaders,
  mistakes: FieldMistake[],
): Promise<BrandChange['files']> {
  const read: Partial<Record<BrandFileField, ReadFile | null>> = {}
  for (const field of remove) {
    const known = brandFileFields.find((each) => each === field)
    if (known !== undefined) read[known] = null
    else mistakes.push({ field: 'remove', message: `must be one of ${brandFileFields.join(', ')}` })
  }
  for (const field of brandFileFields) {
    const file = files[field]
    if (file === undefined) continue
    const content = await contentOf(field, file, readers)
    if ('refused' in content)
      for (const message of [content.refused].flat()) mistakes.push({ field, message })
    else {
      const uploadName = [...cleanText(file.name)].slice(0, uploadNameLengthMax).join('')
      read[field] = { content, uploadName, uploadBytes: file.bytes.length }
    }
  }
  // Each field has the reader of its kind of files.
  return read as BrandChange['files']
}

async function contentOf(
  field: BrandFileField,
  file: UploadedFile,
  readers: UploadReaders,
): Promise<FileContent | UploadRefusal> {
  const { bytes } = file
  if (bytes.length === 0) return { refused: 'is an empty file' }
  const bytesMax = (readers.bytesMax ?? uploadBytesMax)[field]
  if (bytes.length > bytesMax)
    return { refused: `must have at most ${formatBinaryBytes(bytesMax)}, but has ${bytes.length} bytes` }
  const misnamed = checkUploadName(file)
  if (misnamed !== undefined) return { refused: misnamed }
  return readers[readerNames[field]](bytes)
}

const readerNames = {
  logo: 'logo',
  titleFont: 'font',
  textFont: 'font',
  picture: 'picture',
  themeFile: 'theme',
} as const

type FileType = NonNullable<ReturnType<typeof pixelTypeOf>> | 'svg' | 'sfnt' | 'woff2'

const fileTypes: Readonly<
  Record<FileType, { readonly name: string; readonly extensions: readonly string[] }>
> = {
  png: { name: 'a PNG', extensions: pictureFormats.png.extensions },
  jpeg: { name: 'a JPEG', extensions: [...pictureFormats.jpeg.extensions, 'jpe', 'jfif'] },
  webp: { name: 'a WebP', extensions: pictureFormats.webp.extensions },
  svg: { name: 'an SVG', extensions: pictureFormats.svg.extensions },
  // Both have outlines of either kind nowadays.
  sfnt: { name: 'a TTF or OTF', extensions: ['ttf', 'otf'] },
  woff2: { name: 'a WOFF2', extensions: ['woff2'] },
}

/** The mistake in a file's name that does not suit its content, because another file may have been meant; none without extension. */
export function checkUploadName({ name, bytes }: UploadedFile): string | undefined {
  const type = fileTypeOf(bytes)
  const [, extension] = /\.(?=\d*[a-z])([a-z\d]+)$/i.exec(name) ?? []
  if (type === undefined || extension === undefined) return undefined
  const { name: typeName, extensions } = fileTypes[type]
  if (extensions.includes(extension.toLowerCase())) return undefined
  return `has a name that ends in .${extension.slice(0, 12)}, but is ${typeName}`
}

function fileTypeOf(bytes: Uint8Array): FileType | undefined {
  const signature = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (signature === 'wOF2') return 'woff2'
  if (['\0\x01\0\0', 'OTTO', 'true'].includes(signature)) return 'sfnt'
  return pixelTypeOf(bytes) ?? (isMarkup(bytes) ? 'svg' : undefined)
}

/** Makes uploads safe before anything else sees them. */
export function createUploadReaders(pictures: Pick<PictureDrawer, 'convert'>): UploadReaders {
  const deps = { pictures, client: 'operator' }
  return {
    logo: (bytes) => readLogo(bytes, uploadedLogo, deps).catch(refusalOf),
    font: (bytes) => readFont(bytes).catch(refusalOf),
    picture: (bytes) => readPicture(bytes, deps).catch(refusalOf),
    theme: async (bytes) => {
      if (!isUtf8(bytes) || bytes.includes(0)) return { refused: 'must be YAML or JSON, as text in UTF-8' }
      const { mistakeText, readTheme } = await import('../assets/og/engine/read-theme.ts')
      const read = readTheme(new TextDecoder().decode(bytes))
      return 'mistakes' in read ? { refused: read.mistakes.map(mistakeText) } : { ...read.theme, bytes }
    },
  }
}

const busy = { refused: 'could not be checked now, because the server is busy: save it again' }

function refusalOf(error: unknown) {
  if (error instanceof FontRefused || error instanceof UploadRefused) return { refused: error.message }
  if (error instanceof PictureTooLong) return { refused: 'takes too long to draw' }
  const isBusy =
    error instanceof FontNotChecked || error instanceof RasterBusy || error instanceof PictureLimited
  if (isBusy) return busy
  throw error
}

/** Reads each upload once for as long as somebody holds its bytes: a form that is previewed again brings the same files. */
export function cacheReaders(readers: UploadReaders): UploadReaders {
  const { logo, font, picture, theme } = readers
  return {
    ...readers,
    logo: cached(logo),
    font: cached(font),
    picture: cached(picture),
    theme: cached(theme),
  }
}

function cached<Content extends object>(read: (bytes: Uint8Array<ArrayBuffer>) => Promise<Content>) {
  const contents = new WeakMap<Uint8Array, Promise<Content>>()
  return (bytes: Uint8Array<ArrayBuffer>): Promise<Content> => {
    const cachedReading = contents.get(bytes)
    if (cachedReading !== undefined) return cachedReading
    const reading = read(bytes)
    contents.set(bytes, reading)
    // A refusal is not cached, because the server may only have been busy.
    reading.then(
      (content) => 'refused' in content && contents.delete(bytes),
      () => contents.delete(bytes),
    )
    return reading
  }
}

/** Bytes that the files of a folder may have: what is stored can be larger than what was uploaded. */
export const importLimits: Readonly<Record<BrandFileField, number>> = {
  ...uploadBytesMax,
  logo: 256 * 1024,
  picture: 4 * 2 ** 20,
  titleFont: fontBytesMax,
  textFont: fontBytesMax,
}

/** Readers for folders: an export is read as it was. `brands` finds stored pictures by the SHA-256 of their JPEG. */
export function importReaders(
  readers: UploadReaders,
  brands: { jpegWithKey(key: string): PromiseLike<BrandFileRow | undefined> },
): UploadReaders {
  return {
    ...readers,
    bytesMax: importLimits,
    logo: async (bytes) => readShapesLogo(new TextDecoder().decode(bytes)) ?? readers.logo(bytes),
    font: (bytes) => readFont(bytes, { bytesMax: fontBytesMax }).catch(refusalOf),
    async picture(bytes) {
      const row = await brands.jpegWithKey(createHash('sha256').update(bytes).digest('hex'))
      const content = row && fileContent(row)
      return content && 'jpeg' in content ? content : readers.picture(bytes)
    },
  }
}
