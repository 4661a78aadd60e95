import { pictureFormatNames, pictureFormats } from '../../raster/picture-formats.ts'

const initialisms = new Set(['json', 'og'])
const spellings: ReadonlyMap<string, string> = new Map([
  ...pictureFormatNames.map((name) => [name, pictureFormats[name].label] as const),
  ['github', 'GitHub'],
  ['true', 'Yes'],
  ['false', 'No'],
])

/** A value of a choice as people write it. */
export function choiceText(value: string): string {
  if (initialisms.has(value)) return value.toUpperCase()
  const words = value.replaceAll(/[-_]/g, ' ')
  return spellings.get(value) ?? words.charAt(0).toUpperCase() + words.slice(1)
}
