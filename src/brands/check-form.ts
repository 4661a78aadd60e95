import type { BrandChange, BrandForm, FieldMistake } from './brand-form.ts'
import { checkTexts, isSlug, slugRule } from './check-texts.ts'
import { readUploads, type UploadReaders } from './read-uploads.ts'

/** A checked form, and everything that is wrong with it. */
export interface CheckedForm {
  readonly change: BrandChange
  readonly mistakes: readonly FieldMistake[]
}

/** @param existing the slug of the brand that gets a revision; undefined for a new one */
export async function checkForm(
  form: BrandForm,
  existing: string | undefined,
  readers: UploadReaders,
): Promise<CheckedForm> {
  const mistakes: FieldMistake[] = [...wrongSlug(form.texts.slug?.trim(), existing)]
  if (existing === undefined && form.texts.name === undefined)
    mistakes.push({ field: 'name', message: 'is required' })
  const texts = checkTexts(form.texts, mistakes)
  const files = await readUploads(form, readers, mistakes)
  return { change: { ...texts, files }, mistakes }
}

function wrongSlug(given: string | undefined, existing: string | undefined): readonly FieldMistake[] {
  if (existing !== undefined) {
    if (given === undefined || given === existing) return []
    return [{ field: 'slug', message: `must stay ${existing}, because URLs of cards have it` }]
  }
  if (given === undefined || !isSlug(given)) return [{ field: 'slug', message: slugRule }]
  return reservedSlugs.has(given)
    ? [{ field: 'slug', message: 'must not be that of a page of the admin' }]
    : []
}

/** The page that makes a brand is `/admin/brands/new`. */
const reservedSlugs: ReadonlySet<string> = new Set(['new'])
