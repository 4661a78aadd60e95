import { weakMemo } from '../../lib/memo.ts'
import type { FontFile } from '../coverage/lookup.ts'
import type { CardFont } from './brand-font.ts'
import { factsOf } from './font-facts.ts'

export type BrandFace = ReturnType<typeof createBrandFace>

const packagePrefix = 'brand '

/** A brand's font as what words are set in: a face before all of ours. */
export const brandFaceOf = weakMemo(createBrandFace)

export function isBrandFile({ packageName }: FontFile): boolean {
  return packageName.startsWith(packagePrefix)
}

function createBrandFace(font: CardFont) {
  const { has, placesMark } = factsOf(font)
  const file: FontFile = { packageName: `${packagePrefix}${font.key}`, file: '' }
  return {
    key: font.key,
    /** The file that items name. It has no bytes, so that no cached item keeps a font in memory. */
    file,
    has,
    placesMark,
    /** True of a font of Chinese or Japanese, whose marks are as wide as its letters. */
    isHan: has(0x3001) && has(0x3002),
  }
}
