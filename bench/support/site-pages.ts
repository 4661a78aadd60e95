import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { knownWords } from './words.ts'

const siteName = 'Tidewater'
const sections = ['guides', 'reference', 'recipes', 'releases']
const linkCount = 120
const paragraphCount = 40

/**
 * Writes pages in the look of a documentation site, 25 KB each: a head with the usual tags, a long navigation and a text.
 *
 * @param cards how many of the pages differ in what a card shows
 */
export function writeSite(folder: string, pages: number, cards = pages): void {
  const next = knownWords(11)
  const texts = Array.from({ length: cards }, next)
  const links = Array.from({ length: linkCount }, (_, index) => {
    const section = sections[index % sections.length]
    return `<li class="sidebar-item"><a class="sidebar-link" href="/${section}/page-${index}/"><span>${next().title}</span></a></li>`
  }).join('\n')
  const text = Array.from({ length: paragraphCount }, (_, index) => {
    const { title, subtitle } = next()
    return `<h2 id="part-${index}">${title}</h2>\n<p>${subtitle}. ${title}.</p>`
  }).join('\n')
  for (let index = 0; index < pages; index++) {
    const { title, subtitle } = texts[index % cards] ?? next()
    const path = `${sections[index % sections.length]}/page-${index}/`
    const page = `<!DOCTYPE html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} | ${siteName}</title>
    <link rel="canonical" href="https://tidewater.example/${path}">
    <meta name="description" content="${subtitle}">
    <meta property="og:site_name" content="${siteName}">
    <meta property="og:title" content="${title}">
    <link rel="stylesheet" href="/assets/style.css">
    <script type="module" src="/assets/app.js"></script>
  </head>
  <body>
    <nav><ul>
${links}
    </ul></nav>
    <main>
<h1>${title}</h1>
<p class="lead">${subtitle}</p>
${text}
    </main>
  </body>
</html>
`
    const file = join(folder, path, 'index.html')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, page)
  }
}
