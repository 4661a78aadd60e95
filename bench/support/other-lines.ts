import { chromium } from 'playwright-core'
import satori from 'satori'
import { type FontFile, readFontFileSync } from '../../src/text/font-files.ts'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'
import type { MarkedText } from '../../test/text/break-corpus.ts'
import { fontName, textFonts } from '../../test/text/text-fonts.ts'

await woff2Ready

/** A text in a column, at the size that our card gives it. */
export interface SetText extends MarkedText {
  readonly lang: string
  readonly widthPx: number
  readonly sizePx: number
  readonly weight: number
}

/** Where the lines of a text start, the first one left out, and the width of each line. */
export interface Lines {
  readonly starts: readonly number[]
  readonly widthsPx: readonly number[]
}

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
  using server = Bun.serve({
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

/** Where satori ends the lines of each text with `textWrap: 'balance'` and our fonts at their default weight. */
export async function satoriLines(texts: readonly SetText[]): Promise<readonly Lines[]> {
  const byLanguage = Map.groupBy(texts, ({ lang }) => lang)
  const fonts = new Map([...byLanguage].map(([lang, set]) => [lang, fontsOf(set, lang)]))
  const lines: Lines[] = []
  for (const { text, lang, widthPx, sizePx } of texts) {
    const ownFonts = fonts.get(lang) ?? []
    const fontFamily = ownFonts.map(({ name }) => name).join(', ')
    const style = { width: widthPx, fontSize: sizePx, textWrap: 'balance', fontFamily }
    const element = { type: 'div', props: { lang, style, children: text } } as unknown
    const size = { width: widthPx, height: 630, fonts: ownFonts, embedFont: false }
    lines.push(linesIn(await satori(element as Parameters<typeof satori>[0], size), text))
  }
  return lines
}

const variationTables = ['fvar', 'gvar', 'avar', 'HVAR', 'MVAR', 'STAT']

/** satori refuses variable fonts: without the names of their tables they are plain ones. */
function fontsOf(texts: readonly SetText[], lang: string) {
  const files = new Map<string, FontFile>()
  for (const { text } of texts) for (const file of textFonts(text, lang)) files.set(fontName(file), file)
  return [...files].map(([name, file]) => {
    const data = Buffer.from(unpackFont(readFontFileSync(file)))
    for (let table = 0; table < data.readUInt16BE(4); table++) {
      const at = 12 + table * 16
      if (variationTables.includes(data.toString('latin1', at, at + 4))) data.write('xxxx', at, 'latin1')
    }
    return { name, data, weight: 400 as const }
  })
}

/** satori writes a `text` element for each piece of a line. */
function linesIn(svg: string, text: string): Lines {
  const starts: number[] = []
  const lines: { y: number; left: number; right: number }[] = []
  let offset = 0
  for (const { text: piece, x, y, width } of satoriTexts(svg)) {
    const found = text.indexOf(piece, offset)
    const at = found < 0 ? offset : found
    const line = lines.at(-1)
    if (line === undefined || Math.abs(line.y - y) > 2) {
      if (lines.length > 0) starts.push(piece.startsWith(' ') ? at + 1 : at)
      lines.push({ y, left: x, right: x + width })
    } else {
      line.left = Math.min(line.left, x)
      line.right = Math.max(line.right, x + width)
    }
    offset = at + piece.length
  }
  return { starts, widthsPx: lines.map(({ left, right }) => right - left) }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const names = ['x', 'y', 'width', 'font-size'].map((name) => new RegExp(`(?:^| )${name}="([^"]*)"`))

export function satoriTexts(svg: string) {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', escaped = '']) => {
    const [x = 0, y = 0, width = 0, sizePx = 0] = names.map((name) => Number(name.exec(attributes)?.[1]))
    const text = escaped
      .replace(/&#(?:39|x27);/g, "'")
      .replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => entities[name] ?? '')
    return { text, x, y, width, sizePx }
  })
}
