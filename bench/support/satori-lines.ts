import satori from 'satori'
import type { FontFile } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import { unpackFont } from '../../src/text/woff2.ts'
import type { Lines, SetText } from './set-text.ts'
import { fontName, textFonts } from './text-fonts.ts'

const variationTables = ['fvar', 'gvar', 'avar', 'HVAR', 'MVAR', 'STAT']

/** Where satori ends the lines of each text with `textWrap: 'balance'` and our fonts at their default weight. */
export async function satoriLines(texts: readonly SetText[]): Promise<readonly Lines[]> {
  const byLanguage = new Map<string, Awaited<ReturnType<typeof fontsOf>>>()
  const lines: Lines[] = []
  for (const set of texts) {
    const fonts =
      byLanguage.get(set.lang) ??
      fontsOf(
        texts.filter(({ lang }) => lang === set.lang).map(({ text }) => text),
        set.lang,
      )
    byLanguage.set(set.lang, fonts)
    lines.push(await linesOf(set, fonts))
  }
  return lines
}

function fontsOf(texts: readonly string[], lang: string) {
  const files = new Map<string, FontFile>()
  for (const text of texts) for (const file of textFonts(text, lang)) files.set(fontName(file), file)
  return [...files].map(([name, file]) => ({
    name,
    data: Buffer.from(atDefaultWeight(unpackFont(readFontFileSync(file)))),
    weight: 400 as const,
  }))
}

/** satori refuses variable fonts: without the names of their tables they are plain ones. */
function atDefaultWeight(font: Uint8Array): Uint8Array {
  const copy = Buffer.from(font)
  for (let table = 0; table < copy.readUInt16BE(4); table++) {
    const at = 12 + table * 16
    if (variationTables.includes(copy.toString('latin1', at, at + 4))) copy.write('xxxx', at, 'latin1')
  }
  return copy
}

async function linesOf(
  { text, lang, widthPx, sizePx }: SetText,
  fonts: ReturnType<typeof fontsOf>,
): Promise<Lines> {
  const style = {
    width: widthPx,
    fontSize: sizePx,
    textWrap: 'balance',
    fontFamily: fonts.map(({ name }) => name).join(', '),
  }
  const element = { type: 'div', props: { lang, style, children: text } } as unknown as Parameters<
    typeof satori
  >[0]
  const svg = await satori(element, { width: widthPx, height: 630, fonts, embedFont: false })
  return linesIn(svg, text)
}

/** satori writes a `text` element for each piece of a line. */
function linesIn(svg: string, text: string): Lines {
  const starts: number[] = []
  const lines: { y: number; left: number; right: number }[] = []
  let offset = 0
  for (const [, attributes = '', escaped = ''] of svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)) {
    const piece = escaped.replace(/&(lt|gt|amp|quot|apos|#39|#x27);/g, (_, name) => entities[name] ?? '')
    const found = text.indexOf(piece, offset)
    const at = found < 0 ? offset : found
    const [x, y, width] = ['x', 'y', 'width'].map((name) =>
      Number(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1]),
    ) as [number, number, number]
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

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
}
