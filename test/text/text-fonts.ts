import { baseDirection } from '../../src/text/direction.ts'
import type { FontFile } from '../../src/text/font-files.ts'
import { itemize } from '../../src/text/itemize.ts'

/** The font files that we draw a text with, its Latin face first. */
export function textFonts(text: string, lang: string): readonly FontFile[] {
  const request = { text: `A ${text}`, family: 'sans', lang, direction: baseDirection(text) } as const
  const files = itemize(request).items.flatMap((item) => (item.kind === 'word' ? [item.file] : []))
  return [...new Set(files)]
}

export function fontName({ packageName, file }: FontFile): string {
  return `${packageName}-${file}`.replace(/[^a-z0-9]+/gi, '-')
}
