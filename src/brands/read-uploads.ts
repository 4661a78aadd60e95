import type { BrandPicture } from '../assets/og/brand/brand-picture.ts'
import type { CardLogo } from '../assets/og/brand/card-logo.ts'
import { uploadedLogo, uploadedPicture } from '../assets/og/brand/upload-rules.ts'
import { formatBinaryBytes } from '../lib/human-format.ts'
import type { BrandFileField } from '../store/brands.ts'
import type { BrandFont } from '../text/brand-fonts/brand-font.ts'
import { fontFileBytesMax } from '../text/brand-fonts/font-limits.ts'
import { cleanText } from '../text/clean-text.ts'
import {
  type BrandForm,
  brandFileFields,
  type FieldMistake,
  type FileContent,
  type ReadFile,
  type UploadedFile,
} from './brand-form.ts'
import { checkUploadName } from './check-upload-name.ts'

/** Makes uploads safe. Each reader returns the content to store of a file, or a refusal. */
export interface UploadReaders {
  /** How many bytes each file may have; as uploads of a form when missing. */
  readonly bytesMax?: Readonly<Record<BrandFileField, number>>
  logo(bytes: Uint8Array<ArrayBuffer>): Promise<CardLogo | UploadRefusal>
  font(bytes: Uint8Array<ArrayBuffer>): Promise<BrandFont | UploadRefusal>
  picture(bytes: Uint8Array<ArrayBuffer>): Promise<Omit<BrandPicture, 'focus'> | UploadRefusal>
}

/** Why a file is not taken: the end of a sentence that begins with its field. */
export interface UploadRefusal {
  readonly refused: string
}

/** How many bytes an upload of a form may have. */
export const uploadBytesMax: Readonly<Record<BrandFileField, number>> = {
  logo: uploadedLogo.bytesMax,
  titleFont: fontFileBytesMax,
  textFont: fontFileBytesMax,
  picture: uploadedPicture.bytesMax,
}

const uploadNameLengthMax = 120

/** Reads the files of a form. What is wrong is added to `mistakes`. */
export async function readUploads(
  { files, remove }: Pick<BrandForm, 'files' | 'remove'>,
  readers: UploadReaders,
  mistakes: FieldMistake[],
): Promise<Readonly<Partial<Record<BrandFileField, ReadFile | null>>>> {
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
    if ('refused' in content) mistakes.push({ field, message: content.refused })
    else read[field] = { content, uploadName: shownName(file.name), uploadBytes: file.bytes.length }
  }
  return read
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
  if (field === 'logo') {
    const logo = await readers.logo(bytes)
    return 'refused' in logo ? logo : { kind: 'logo', logo }
  }
  if (field === 'picture') {
    const picture = await readers.picture(bytes)
    return 'refused' in picture ? picture : { kind: 'picture', picture }
  }
  const font = await readers.font(bytes)
  return 'refused' in font ? font : { kind: 'font', font }
}

function shownName(name: string): string {
  return [...cleanText(name)].slice(0, uploadNameLengthMax).join('')
}
