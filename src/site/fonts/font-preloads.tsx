/** @jsxImportSource #jsx */
import type { Child } from '../../lib/jsx/markup.ts'
import { fontAssets } from './fonts.ts'

/** Asks for the fonts of a page at once, before its style sheet has been read. */
export function fontPreloads(names: readonly ('inter' | 'newsreader')[]): Child {
  return names.map((name) => (
    <link rel="preload" href={fontAssets.path(`${name}.woff2`)} as="font" type="font/woff2" crossorigin="" />
  ))
}
