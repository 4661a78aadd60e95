import { type BrandTextField, brandFileFields, brandTextFields } from '../../brands/brand-form.ts'
import { closestWord } from '../../lib/edit-distance.ts'
import type { BrandFileField } from '../../store/brands.ts'

/** The file that says what a folder holds: text fields of a brand, and the names of files beside it. */
export const brandJsonName = 'brand.json'

/** `revision` is the number that an export was made of. `import` ignores it, because each import is a new revision. */
export type BrandJson = Readonly<Partial<Record<BrandTextField | BrandFileField | 'revision', string>>>

const fields: readonly string[] = [...brandTextFields, ...brandFileFields, 'revision']

/** Reads the text of `brand.json`. Returns what is wrong with it as lines. */
export function parseBrandJson(text: string): BrandJson | readonly string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return [`is not JSON: ${error instanceof Error ? error.message : String(error)}`]
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['must be a JSON object']
  const mistakes = Object.entries(value).flatMap(([name, entry]) => {
    if (!fields.includes(name)) {
      const meant = closestWord(name, fields)
      return [`${name} is no field${meant === undefined ? '' : `; did you mean ${meant}?`}`]
    }
    return typeof entry === 'string' ? [] : [`${name} must be a text`]
  })
  return mistakes.length > 0 ? mistakes : (value as BrandJson)
}
