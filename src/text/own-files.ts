import type { BrandFace } from './brand-fonts/brand-face.ts'
import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import type { Family } from './types.ts'

const spaces = new Map<Family, FontFile>()

/** The font of spaces. */
export function ownFile(family: Family, brand?: BrandFace): FontFile {
  return brand?.file ?? fileFor(spaces, family, ' ')
}

export function hyphenFile(family: Family, brand?: BrandFace): FontFile {
  return brand?.has(hyphen) ? brand.file : fileFor(spaces, family, ' ')
}

const hyphen = 0x2d

function fileFor(known: Map<Family, FontFile>, family: Family, character: string): FontFile {
  const file = known.get(family) ?? fontFileFor(family, character.charCodeAt(0))
  if (file === undefined) throw new Error(`${family} has no ${character}`)
  known.set(family, file)
  return file
}
