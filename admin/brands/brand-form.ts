import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import { themeWarnings } from '../../src/assets/og/engine/read-theme.ts'
import type { BrandEntry, StoredRevision } from '../../src/brands/brand-directory.ts'
import {
  type BrandForm,
  type BrandLook,
  type BrandTextField,
  brandFileFields,
  brandTextFields,
  type FieldMistake,
  type UploadedFile,
} from '../../src/brands/brand-form.ts'
import type { MultipartForm } from '../../src/http/multipart-form.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { BrandFileField } from '../../src/store/brands.ts'
import { cleanText } from '../../src/text/clean-text.ts'
import { decodeForm } from '../session/form-fields.ts'
import { replaceNuls } from '../session/guard.ts'
import labels from './field-labels.json' with { type: 'json' }

export type BrandField = BrandTextField | BrandFileField

/** In the order of the form. */
export const fieldLabels: Readonly<Record<BrandField, string>> = labels

export const colorFields = ['accent', 'ground', 'ground2'] as const

export interface ShownFile {
  readonly name: string
  readonly bytes: number
  readonly keptToken?: string
  readonly href?: string
  readonly warnings?: readonly string[]
}

/** The form of a brand as its page shows it: what was typed, or the newest revision. */
export interface BrandFormState {
  readonly texts: BrandForm['texts']
  readonly files: Readonly<Partial<Record<BrandFileField, ShownFile>>>
  readonly removed: readonly string[]
  /** Each sentence continues the field's label. */
  readonly mistakes: Readonly<Partial<Record<FieldMistake['field'], readonly FieldMistake[]>>>
  readonly problem?: string | undefined
  readonly sample: string
  /** The revision that the form began with; 0 for a new brand. */
  readonly revision: number
}

const usualSample = 'What we learned from a year of small releases'

export const sampleLengthMax = 80

export const emptyForm: BrandFormState = {
  texts: {},
  files: {},
  removed: [],
  mistakes: {},
  sample: usualSample,
  revision: 0,
}

export function storedForm(
  { slug, access }: BrandEntry,
  stored: StoredRevision,
  theme: Uint8Array | undefined,
): BrandFormState {
  const themeFile = theme && {
    href: `/admin/brands/${slug}/${stored.revision}/theme.yaml`,
    warnings: themeWarnings(theme),
  }
  const files = stored.files.map(({ field, uploadName: name, uploadBytes: bytes }) => [
    field,
    { name, bytes, ...(field === 'themeFile' && themeFile) },
  ])
  return {
    ...emptyForm,
    texts: textsOf(stored.look, { name: stored.name, slug, access }),
    files: Object.fromEntries(files),
    revision: stored.revision,
  }
}

export function textsOf(
  look: BrandLook,
  { name, slug, access }: { readonly name: string; readonly slug: string; readonly access: string },
): BrandForm['texts'] {
  const { focus } = look
  const texts = { ...look, name, slug, access, focus: focus && `${focus.x},${focus.y}` }
  return Object.fromEntries(brandTextFields.map((field) => [field, texts[field] ?? '']))
}

export type SentBrandForm = ReturnType<typeof readBrandForm>

export const revisionField = Type.Integer({ minimum: 1, maximum: 999_999 })

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
  kept: ReturnType<typeof createKeptUploads<UploadedFile>>,
  sessionId: string,
) {
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
    /** Fields that come twice, have a file in place of text or text in place of a file, or name a file that is gone. */
    mistakes,
    keptTokens,
    sample: [...cleanText(sample)].slice(0, sampleLengthMax).join('') || usualSample,
    revision,
    wantsPreview: preview || use !== '',
  }
}

export function withoutFields({ texts, files, remove }: BrandForm, wrong: ReadonlySet<string>): BrandForm {
  function right<Value extends object>(fields: Value): Value {
    return Object.fromEntries(Object.entries(fields).filter(([field]) => !wrong.has(field))) as Value
  }
  return { texts: right(texts), files: right(files), remove: wrong.has('remove') ? [] : remove }
}

/** The query of the pictures of a form that is not saved, with all that is right in it. It is read by `readBrandForm`. */
export function draftQuery({ texts, files, removed, mistakes }: BrandFormState): URLSearchParams {
  const query = new URLSearchParams({ draft: '1' })
  for (const field of brandTextFields) {
    const isDrawn = !['name', 'slug', 'access'].includes(field) && mistakes[field] === undefined
    if (isDrawn && texts[field] !== undefined) query.set(field, texts[field])
  }
  for (const field of brandFileFields) {
    const token = files[field]?.keptToken
    if (token !== undefined) query.set(`kept-${field}`, token)
    if (removed.includes(field)) query.append('remove', field)
  }
  return query
}

/** An uploaded file waits so long for its form to be saved, from its last use on. */
const keptMs = 30 * 60_000
/** For all operators together: three brands with all their files. */
const keptBytesMax = 16 * 2 ** 20
/** A small file counts as if it had so many bytes, which bounds the number of files. */
const keptBytesMin = 64 * 1024

/** Files of forms that were previewed or refused, in this process. Only the session that brought a file finds it. */
export function createKeptUploads<Value>(clock: Clock) {
  const uploads = new LRUCache<string, { readonly sessionId: string; readonly value: Value }>({
    maxSize: keptBytesMax,
    ttl: keptMs,
    ttlResolution: 0,
    updateAgeOnGet: true,
    perf: clock,
  })
  return {
    keep(sessionId: string, value: Value, bytes: number): string {
      const token = randomBytes(16).toString('hex')
      uploads.set(token, { sessionId, value }, { size: Math.max(bytes, keptBytesMin) })
      return token
    },
    find(sessionId: string, token: string): Value | undefined {
      return uploads.peek(token)?.sessionId === sessionId ? uploads.get(token)?.value : undefined
    },
  }
}
