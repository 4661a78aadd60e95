import type { BrandForm, BrandTextField } from '../../src/brands/brand-form.ts'
import type { BrandLook } from '../../src/brands/brand-look.ts'
import type { BrandFileField } from '../../src/store/brands.ts'

export type BrandField = BrandTextField | BrandFileField

/** Text fields that are colours. */
export const colorFields = ['accent', 'ground', 'ground2'] as const

export type ColorField = (typeof colorFields)[number]

/** In the order of the form. */
export const fieldLabels: Readonly<Record<BrandField, string>> = {
  name: 'Name',
  slug: 'Slug',
  theme: 'Theme',
  scheme: 'Scheme',
  accent: 'Accent',
  ground: 'Background',
  ground2: 'Second background',
  footer: 'Footer line',
  logo: 'Logo',
  picture: 'Background picture',
  focus: 'Focal point',
  titleFont: 'Title font',
  textFont: 'Text font',
  access: 'Access',
}

/** A file as its form shows it. */
export interface ShownFile {
  readonly name: string
  readonly bytes: number
  /** Names a file that was uploaded and is not saved yet. */
  readonly keptToken?: string
}

/** The form of a brand as its page shows it: what was typed, or the newest revision. */
export interface BrandFormState {
  readonly texts: BrandForm['texts']
  readonly files: Readonly<Partial<Record<BrandFileField, ShownFile>>>
  /** Files that the next save drops. */
  readonly removed: readonly string[]
  /** Mistakes by field: each sentence continues the field's label. */
  readonly mistakes: Readonly<Partial<Record<BrandField, string>>>
  /** A mistake that belongs to no single field. */
  readonly problem?: string | undefined
  /** The title on the cards of the preview. */
  readonly sample: string
  /** The revision that the form began with; 0 for a new brand. */
  readonly revision: number
}

export const usualSample = 'What we learned from a year of small releases'

export const sampleLengthMax = 80

/** The texts that the form shows for a stored revision. */
export function textsOf(
  { theme, scheme, accent, ground, ground2, footer, focus }: BrandLook,
  { name, slug, access }: { readonly name: string; readonly slug: string; readonly access: string },
): BrandForm['texts'] {
  return {
    name,
    slug,
    access,
    theme: theme ?? '',
    scheme: scheme ?? '',
    accent: accent ?? '',
    ground: ground ?? '',
    ground2: ground2 ?? '',
    footer: footer ?? '',
    focus: focus === undefined ? '' : `${focus.x},${focus.y}`,
  }
}
