import { createHash } from 'node:crypto'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import type { BrandRevisionFileRow } from '../store/brands.ts'

/** The look in a revision, without its files. */
export interface BrandLook
  extends Readonly<
    Partial<Pick<CardBrand, 'theme' | 'scheme' | 'accent' | 'ground' | 'ground2' | 'footer'>>
  > {
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

/** The look after a change. A value of undefined drops what was there. */
export function changedLook(
  look: BrandLook,
  change: { readonly [Field in keyof BrandLook]: BrandLook[Field] | undefined },
): BrandLook {
  const entries = Object.entries({ ...look, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}
