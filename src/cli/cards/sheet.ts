import { escapeHtml } from '../../lib/jsx/markup.ts'
import type { PageResult } from './write-pages.ts'

/** A page with all cards to look through. It names the pictures that `sourceOf` says. */
export function sheetPage(results: readonly PageResult[], sourceOf: (result: PageResult) => string): string {
  const cards = results.map(
    (result) =>
      `<figure><img loading="lazy" src="${escapeHtml(sourceOf(result))}" alt="${escapeHtml(result.title)}"><figcaption>${escapeHtml(result.file)}</figcaption></figure>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width">
<title>${results.length} cards</title>
<style>
body { margin: 24px; font: 14px system-ui; background: #777; color: #fff; display: grid; gap: 24px; grid-template-columns: repeat(auto-fill, minmax(360px, 1fr)) }
figure { margin: 0; overflow-wrap: anywhere }
img { width: 100%; display: block; margin-bottom: 6px }
</style>
${cards.join('\n')}
</html>
`
}
