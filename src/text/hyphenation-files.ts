import type { FontFile } from './coverage/lookup.ts'

/** Languages that write compounds in one word, whose patterns are on the disk. */
export const hyphenationFiles: Readonly<Record<string, FontFile>> = {
  de: patternFile('de-1996'),
  nl: patternFile('nl'),
  da: patternFile('da'),
  sv: patternFile('sv'),
  fi: patternFile('fi'),
  hu: patternFile('hu'),
}
function patternFile(name: string): FontFile {
  return { packageName: 'hyphen', file: `patterns/${name}.js` }
}
