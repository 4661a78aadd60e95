import { chromium } from 'playwright-core'
import type { FontFile } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import type { Lines, SetText } from './set-text.ts'
import { fontName, textFonts } from './text-fonts.ts'

/** Where Chromium ends the lines of each text with `text-wrap: balance` and our fonts. */
export async function chromiumLines(texts: readonly SetText[]): Promise<readonly Lines[]> {
  const fonts = new Map<string, FontFile>()
  const paragraphs = texts.map(({ text, lang, sizePx, widthPx, weight }) => {
    const files = textFonts(text, lang)
    for (const file of files) fonts.set(fontName(file), file)
    const style = `width:${widthPx}px;font:${weight} ${sizePx}px ${files.map(fontName).join(',')}`
    return `<p dir="auto" lang="${lang}" style="${style}">${Bun.escapeHTML(text)}</p>`
  })
  const faces = [...fonts.keys()].map(
    (name) => `@font-face{font-family:${name};font-weight:100 900;src:url(/${name})}`,
  )
  const page = `<!doctype html><meta charset="utf-8"><style>${faces.join('')}p{margin:0;text-wrap:balance}</style>${paragraphs.join('\n')}`
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const file = fonts.get(new URL(request.url).pathname.slice(1))
      if (file !== undefined) return new Response(new Uint8Array(readFontFileSync(file)))
      return new Response(page, { headers: { 'content-type': 'text/html' } })
    },
  })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage()
    await tab.goto(server.url.href)
    return await tab.evaluate(linesInPage)
  } finally {
    await browser.close()
    await server.stop(true)
  }
}

/** Runs inside the page: a line starts where the next character stands lower. */
async function linesInPage(): Promise<Lines[]> {
  await document.fonts.ready
  return Array.from(document.querySelectorAll('p'), (paragraph) => {
    const node = paragraph.firstChild
    const text = node?.textContent ?? ''
    const starts: number[] = []
    const lines: { left: number; right: number }[] = []
    const range = document.createRange()
    let bottom = Number.NEGATIVE_INFINITY
    for (let at = 0; node !== null && at < text.length; at++) {
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      const box = range.getClientRects()[0]
      if (box === undefined || (box.width === 0 && text[at] === ' ')) continue
      if ((box.top + box.bottom) / 2 > bottom) {
        if (at > 0) starts.push(at)
        lines.push({ left: box.left, right: box.right })
        bottom = box.bottom
      }
      const line = lines.at(-1)
      if (line === undefined || text[at] === ' ') continue
      line.left = Math.min(line.left, box.left)
      line.right = Math.max(line.right, box.right)
    }
    return { starts, widthsPx: lines.map(({ left, right }) => right - left) }
  })
}
