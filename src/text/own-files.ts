import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import { ellipsis } from './truncate.ts'
import type { Family } from './types.ts'

const spaces = new Map<Family, FontFile>()
const ellipses = new Map<Family, FontFile>()

/** The font of spaces and hyphens. */
export function ownFile(family: Family): FontFile {
  return fileFor(spaces, family, ' ')
}

export function ellipsisFile(family: Family): FontFile {
  return fileFor(ellipses, family, ellipsis)
}

function fileFor(known: Map<Family, FontFile>, family: Family, character: string): FontFile {
  const file = known.get(family) ?? fontFileFor(family, character.charCodeAt(0))
  if (file === undefined) throw new Error(`${family} has no ${character}`)
  known.set(family, file)
  return file
}
