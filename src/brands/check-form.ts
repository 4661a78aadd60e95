import { formats } from '../assets/kit/formats.ts'
import { opaqueColor } from '../lib/color.ts'
import { cleanText, countCodePoints } from '../text/clean-text.ts'
import {
  type BrandChange,
  type BrandForm,
  type BrandTextField,
  brandChoiceFields,
  brandChoices,
  type FieldMistake,
} from './brand-form.ts'
import { readUploads, type UploadReaders } from './read-uploads.ts'

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
  /** The value of a field; undefined for an empty one and for one that is wrong. */
  function read<Value>(
    field: BrandTextField,
    rule: string,
    parse: (text: string) => Value | undefined,
  ): Value | undefined {
    const text = texts[field]?.trim()
    if (text === undefined || text === '') return undefined
    const value = parse(text)
    if (value === undefined) mistakes.push({ field, message: rule })
    return value
  }

  /** The change of one part of the look; empty where the form leaves the field out. */
  function part<const Field extends BrandTextField, Value>(
    field: Field,
    rule: string,
    parse: (text: string) => Value | undefined,
  ): { readonly [Name in Field]?: Value | undefined } {
    return texts[field] === undefined
      ? {}
      : ({ [field]: read(field, rule, parse) } as { [Name in Field]: Value })
  }

  const choices = brandChoiceFields.map((field) => {
    const values: readonly string[] = brandChoices[field]
    return part(field, `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`, oneOf(values))
  })
  if (texts.name !== undefined && cleanText(texts.name) === '')
    mistakes.push({ field: 'name', message: `is required: 1 to ${nameLengthMax} characters` })
  return {
    name: read('name', `must be 1 to ${nameLengthMax} characters`, textUpTo(nameLengthMax)),
    access: read('access', 'must be everyone or keys', oneOf(['everyone', 'keys'])),
    look: {
      ...Object.assign({}, ...choices),
      ...part('accent', colorRule, colorOf),
      ...part('ground', colorRule, colorOf),
      ...part('ground2', colorRule, colorOf),
      ...part('footer', `must be one line of up to ${footerLengthMax} characters`, textUpTo(footerLengthMax)),
      ...part('focus', 'must be two numbers from 0 to 100 with a comma between them, such as 50,30', focusOf),
    },
  }
}

const colorRule = `must be ${formats['css-color']?.meaning}`

/** Hex without `#`. */
function colorOf(text: string): string | undefined {
  return opaqueColor(text)?.slice(1)
}

function oneOf<const Value extends string>(values: readonly Value[]) {
  return (text: string): Value | undefined => values.find((value) => value === text)
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
