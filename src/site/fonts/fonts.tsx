/** @jsxImportSource #jsx */
import { readFileSync } from 'node:fs'
import { staticAssets } from '../../http/public-documents.ts'
import type { Child } from '../../lib/jsx/markup.ts'
import { projectFile } from '../../lib/package-files.ts'
import faces from './font-faces.json' with { type: 'json' }

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
export const fontCss = faces
  .map(fontFace)
  .join('')
  .replaceAll(
    /url\("([\w.]+)"\)/g,
    // A style sheet is in a folder beside that of the fonts.
    (_, name: string) => `url(${fontAssets.path(name).replace('/assets/', '../')})`,
  )

function fontFace(face: Readonly<Record<string, string>>): string {
  const lines = Object.entries(face).map(([name, value]) => `${name}: ${value};`)
  return `@font-face { ${lines.join(' ')} }\n`
}

export function fontPreloads(names: readonly ('inter' | 'newsreader')[]): Child {
  return names.map((name) => (
    <link rel="preload" href={fontAssets.path(`${name}.woff2`)} as="font" type="font/woff2" crossorigin="" />
  ))
}
