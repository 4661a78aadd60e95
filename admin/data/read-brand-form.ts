import { Type } from '@sinclair/typebox'
import {
  type BrandForm,
  brandFileFields,
  brandTextFields,
  type FieldMistake,
  type UploadedFile,
} from '../../src/brands/brand-form.ts'
import type { MultipartForm } from '../../src/http/multipart-form.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import { cleanText } from '../../src/text/clean-text.ts'
import { replaceNuls } from '../session/admin-request.ts'
import { decodeForm } from '../session/form-fields.ts'
import { type BrandField, colorFields, sampleLengthMax, usualSample } from './brand-fields.ts'
import type { KeptUploads } from './kept-uploads.ts'

/** The form as the operator sent it, before the rules of brands are applied. */
export interface SentBrandForm {
  readonly form: BrandForm
  /** Fields that come twice, have a file in place of text or text in place of a file, or name a file that is gone. */
  readonly mistakes: readonly FieldMistake[]
  /** Tokens of the files that were kept when the form was sent before. */
  readonly keptTokens: Readonly<Partial<Record<BrandFileField, string>>>
  readonly sample: string
  /** The revision that the form began with; undefined if the form does not say. */
  readonly revision: number | undefined
  readonly wantsPreview: boolean
}

export const revisionField = Type.Integer({ minimum: 1, maximum: 999_999 })

/** The fields that are not part of the brand. */
const otherFields = Type.Object({
  sample: Type.String({ default: '' }),
  revision: Type.Optional(revisionField),
  preview: Type.Boolean({ default: false }),
  /** A field and a colour of the logo for it: `accent #0b5c8a`. */
  use: Type.String({ default: '' }),
})

/** Sorts the parts of a multipart form into the fields of a brand. Parts of other names are ignored. */
export function readBrandForm(
  { fields, files }: MultipartForm,
  kept: Pick<KeptUploads<UploadedFile>, 'find'>,
  sessionId: string,
): SentBrandForm {
  const mistakes: FieldMistake[] = []
  const sent = Object.groupBy(files, ([field]) => field)
  const remove = fields.getAll('remove').map(replaceNuls)
  const keptTokens: Partial<Record<BrandFileField, string>> = {}
  const uploads: Partial<Record<BrandFileField, UploadedFile>> = {}
  const texts: Partial<Record<BrandField, string>> = {}
  for (const field of brandTextFields) {
    const [text, ...more] = fields.getAll(field)
    if (sent[field] !== undefined) mistakes.push({ field, message: 'must be text, not a file' })
    if (more.length > 0) mistakes.push({ field, message: 'is given twice' })
    if (text !== undefined) texts[field] = replaceNuls(text)
  }
  for (const field of brandFileFields) {
    const [file, ...more] = sent[field] ?? []
    if (more.length > 0) mistakes.push({ field, message: 'is given twice' })
    if (fields.getAll(field).some((text) => text !== ''))
      mistakes.push({ field, message: 'must be a file, not text' })
    if (file !== undefined) {
      uploads[field] = file[1]
      continue
    }
    const token = fields.get(`kept-${field}`)
    if (token === null || token === '' || remove.includes(field)) continue
    const upload = kept.find(sessionId, token)
    if (upload === undefined)
      mistakes.push({ field, message: 'is no longer available: choose the file again' })
    else {
      uploads[field] = upload
      keptTokens[field] = token
    }
  }
  const { sample, revision, preview, use } = decodeForm(otherFields, fields).value
  const [field, color] = use.split(' ')
  const colorField = colorFields.find((each) => each === field)
  if (colorField !== undefined && color !== undefined) texts[colorField] = color
  return {
    form: { texts, files: uploads, remove },
    mistakes,
    keptTokens,
    sample: [...cleanText(sample)].slice(0, sampleLengthMax).join('') || usualSample,
    revision,
    wantsPreview: preview || use !== '',
  }
}
