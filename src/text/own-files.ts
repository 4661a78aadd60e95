import type { BrandFace } from './brand-fonts/brand-face.ts'
import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import type { Family } from './types.ts'

const known = new Map<Family, FontFile>()

/** The font of spaces. */
export function ownFile(family: Family, brand?: BrandFace): FontFile {
  if (brand !== undefined) return brand.file
  const file = known.get(family) ?? fontFileFor(family, 0x20)
  if (file === undefined) throw new Error(`${family} has no space`)
  known.set(family, file)
  return file
}

export function hyphenFile(family: Family, brand?: BrandFace): FontFile {
  return ownFile(family, brand?.has(0x2d) ? brand : undefined)
}
