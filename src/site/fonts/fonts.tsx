/** @jsxImportSource #jsx */
import { readFileSync } from 'node:fs'
import { staticAssets } from '../../http/public-documents.ts'
import type { Child } from '../../lib/jsx/markup.ts'
import { projectFile } from '../../lib/package-files.ts'

/** Files that must lie beside the executable. */
export const fontFiles = ['src/site/fonts/inter.woff2', 'src/site/fonts/newsreader.woff2'] as const

/** The fonts of our pages and of the operator's. `bun run build:fonts` made them. */
export const fontAssets = staticAssets(
  'fonts',
  fontFiles.map((file) => ({
    name: file.slice(file.lastIndexOf('/') + 1),
    body: new Uint8Array(readFileSync(projectFile(file))),
    contentType: 'font/woff2',
  })),
)

/**
 * A font that is late is not used on that page view, so that no line breaks anew while somebody reads: pages preload what
 * they need. The fonts in its place have its widths: averages by the frequency of letters in English.
 */
export const fontCss = `
@font-face {
  font-family: Inter;
  src: url(${besideStyles('inter.woff2')}) format("woff2");
  font-weight: 400 700;
  font-display: optional;
  unicode-range: U+20-7E, U+A0-FF, U+2013-2014, U+2018-201D, U+2022, U+2026, U+20AC, U+2190-2193, U+2212, U+2264-2265, U+2713;
}
@font-face {
  font-family: "Inter fallback";
  src: local("Arial"), local("Liberation Sans"), local("Helvetica");
  size-adjust: 107.4%;
  ascent-override: 90.2%;
  descent-override: 22.5%;
  line-gap-override: 0%;
}
@font-face {
  font-family: Newsreader;
  src: url(${besideStyles('newsreader.woff2')}) format("woff2");
  font-weight: 500;
  font-display: optional;
  unicode-range: U+20-7E, U+2013-2014, U+2018-201D, U+2022, U+2026, U+2190-2193;
}
@font-face {
  font-family: "Newsreader fallback";
  src: local("Georgia");
  size-adjust: 95.7%;
  ascent-override: 76.8%;
  descent-override: 27.7%;
  line-gap-override: 0%;
}
@font-face {
  font-family: "Newsreader fallback 2";
  src: local("Times New Roman"), local("Liberation Serif"), local("Times");
  size-adjust: 106.5%;
  ascent-override: 69%;
  descent-override: 24.9%;
  line-gap-override: 0%;
}
`

/** The address of a font in a style sheet, which is in a folder beside that of the font. */
function besideStyles(name: string): string {
  return fontAssets.path(name).replace('/assets/', '../')
}

/** Asks for the fonts of a page at once, before its style sheet has been read. */
export function fontPreloads(names: readonly ('inter' | 'newsreader')[]): Child {
  return names.map((name) => (
    <link rel="preload" href={fontAssets.path(`${name}.woff2`)} as="font" type="font/woff2" crossorigin="" />
  ))
}
