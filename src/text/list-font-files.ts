import { allFontFiles, type FontFile } from './coverage/lookup.ts'
import { emojiFile, emojiNamesFile, harfbuzzFile, hyphenationFiles } from './font-files.ts'

/** Everything that the text engine reads from the disk, for a build that ships it beside an executable. */
export function listFontFiles(): FontFile[] {
  return [...allFontFiles(), harfbuzzFile, emojiFile, emojiNamesFile, ...Object.values(hyphenationFiles)]
}
