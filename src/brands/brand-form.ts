import { createHash } from 'node:crypto'
import { type BrandPicture, type CardLogo, findFocus } from '../assets/og/brand/brand-images.ts'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import { ogQuery } from '../assets/og/query.ts'
import { pictureLayouts } from '../assets/og/theme.ts'
import type { ThemeSource } from '../assets/og/themes.ts'
import { allowedValues } from '../lib/fields.ts'
import type { BrandAccess, BrandFileField, BrandRevisionFileRow } from '../store/brands.ts'
import type { BrandFont } from '../text/brand-fonts/brand-font.ts'

/** The brand that an operator entered in the admin or on the command line. Nothing in it is checked yet. */
export interface BrandForm {
  /** A field that is missing stays as it is in the last revision, an empty one is dropped. */
  readonly texts: Readonly<Partial<Record<BrandTextField, string>>>
  /** A file that is missing stays that of the last revision. */
  readonly files: Readonly<Partial<Record<BrandFileField, UploadedFile>>>
  /** Files of the last revision that are dropped, by their fields. */
  readonly remove: readonly string[]
}

const { theme, scheme, align, template } = ogQuery.properties

/** Fields of the look that are one of some values, with those: where the query has such a parameter, what it accepts. */
export const brandChoices = {
  theme: allowedValues(theme) ?? [],
  scheme: allowedValues(scheme) ?? [],
  align: allowedValues(align) ?? [],
  template: allowedValues(template) ?? [],
  footerInPlaceOf: ['domain'],
  pictureLayout: pictureLayouts,
} as const satisfies Readonly<Partial<Record<keyof BrandLook, readonly string[]>>>

export type BrandChoice = keyof typeof brandChoices

export const brandChoiceFields = Object.keys(brandChoices) as readonly BrandChoice[]

// biome-ignore format: one row
export const brandTextFields = [
  'name', 'slug', ...brandChoiceFields, 'accent', 'ground', 'ground2', 'footer', 'focus', 'access',
] as const

export type BrandTextField = (typeof brandTextFields)[number]

export const brandFileFields = ['logo', 'titleFont', 'textFont', 'picture', 'themeFile'] as const

export interface UploadedFile {
  /** As the browser gave it or the folder has it: for people, never for a path. */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A mistake in a field. The message continues the field's name: `must be …`. */
export interface FieldMistake {
  readonly field: BrandTextField | BrandFileField | 'remove'
  readonly message: string
}

/** A form that was checked: what it changes in the last revision. */
export interface BrandChange {
  /** Undefined: it stays. */
  readonly name: string | undefined
  readonly access: BrandAccess | undefined
  /** Undefined values drop what the last revision has; what is missing stays. */
  readonly look: { readonly [Field in keyof BrandLook]: BrandLook[Field] | undefined }
  /** Null: dropped; missing: it stays. */
  readonly files: { readonly [Field in BrandFileField]?: ReadFile<BrandFiles[Field]> | null }
}

export interface ReadFile<Content = FileContent> {
  readonly content: Content
  readonly uploadName: string
  readonly uploadBytes: number
}

/** The files of a brand, as their readers return them. */
export interface BrandFiles<Font = BrandFont> {
  readonly logo: CardLogo
  readonly titleFont: Font
  readonly textFont: Font
  readonly picture: Omit<BrandPicture, 'focus'>
  readonly themeFile: ThemeUpload
}

export type FileContent = BrandFiles[BrandFileField]

/** A theme as it was read when it came, with the file itself, which is given back. */
export interface ThemeUpload extends ThemeSource {
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface BrandLook extends Readonly<Partial<Omit<CardBrand, 'key' | BrandFileField>>> {
  /** The focal point of the picture: percent of its width and height. */
  readonly focus?: { readonly x: number; readonly y: number }
}

/** Names a look with its files: equal digests, equal cards. */
export function lookDigest(
  look: BrandLook,
  files: readonly Pick<BrandRevisionFileRow, 'field' | 'sha256'>[],
): string {
  const parts = [...Object.entries(look), ...files.map(({ field, sha256 }) => [field, sha256] as const)]
  const sorted = parts.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22)
}

/** The look after a change. A value of undefined drops what was there. A new picture without a focus gets the one found in it. */
export function changedLook(look: BrandLook, { look: change, files }: BrandChange): BrandLook {
  const entries = Object.entries({ ...look, ...change }).filter(([, value]) => value !== undefined)
  const changed: BrandLook = Object.fromEntries(entries)
  if (!files.picture || changed.focus !== undefined) return changed
  return { ...changed, focus: findFocus(files.picture.content.grid) }
}
