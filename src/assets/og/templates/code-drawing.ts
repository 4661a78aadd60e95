import { contrastRatio, mix, type Rgb, toOklch, white } from '../../../lib/color.ts'
import { Bounds } from '../../../svg/bounds.ts'
import { graphemesOf } from '../../../text/graphemes.ts'
import type { FittedLine, FittedText } from '../../../text/types.ts'
import { readable } from '../accent.ts'
import type { Canvas } from '../canvas.ts'
import type { Stage } from '../engine/contracts.ts'
import { aboveFoot, drawWith, smallTitle } from '../engine/text-block.ts'
import { type Area, roundedRectangle } from '../shapes.ts'
import type { CardColors } from '../theme.ts'
import languages from './code-languages.json' with { type: 'json' }
import { type CodeKind, type CodeSpan, highlight } from './highlight.ts'

/** Line height as a multiple of the size, of few lines and of many. */
const [airy, dense, manyLines] = [1.44, 1.32, 9] as const
/** Sizes of the title above few lines and above many, and the share of the height that it takes at most. */
const titles = {
  few: { sizes: [52, 48, 44, 42, 38, 34, 30, 26], share: 0.3 },
  many: { sizes: [42, 38, 34, 30, 26], share: 0.2 },
} as const
/** Between the edges of the panel and the code, in units. */
const [besidePx, abovePx] = [34, 25]
/** Code that the height makes smaller, in units, has a smaller title. */
const comfortable = 30
/** The smallest size for which long lines are not cut, and which code has beside a subtitle or an eyebrow, and the largest of many lines and of few, in units. */
const [sizeMin, sizeMax, fewSizeMax, few] = [18, 42, 56, 3]

/** Code on a panel, the largest thing of its card. */
export function draw(stage: Stage): void {
  const { texts, canvas, colors } = stage
  const area = aboveFoot(stage)
  const { code = '', file } = texts.template?.own ?? {}
  const { unit } = stage.boxes
  const palette = paletteOf(colors)
  const lines = linesOf(highlight(code, languageOf(texts.template?.params, file)), canvas)
  const [besidesPx, gapPx, edgePx] = [besidePx * unit, 24 * unit, abovePx * unit]
  const widthPx = area.width - 2 * besidesPx
  const rows = heightOf(lines)
  const wide = (widthPx * 1000) / Math.max(1, ...lines.map((line) => line.widthUnits))
  const largest = (lines.length <= few ? fewSizeMax : sizeMax) * unit
  function fitted(isDense: boolean) {
    const leading = isDense ? dense : airy
    const { sizes, share } = titles[isDense ? 'many' : 'few']
    const { eyebrow } = stage.boxes
    // An ornament alone gives way to the code.
    const bare = { ...stage.boxes, eyebrow: { ...eyebrow, isAlways: eyebrow.isAlways === true && !isDense } }
    const { boxes, headPx } = smallTitle({ ...stage, boxes: bare }, sizes, share)
    const high = (area.height - headPx - gapPx - 2 * edgePx) / (rows * leading)
    const sizePx = Math.floor(Math.min(high, largest, Math.max(wide, sizeMin * unit)) * 10) / 10
    return { boxes, leading, sizePx, isLow: high < Math.min(wide, comfortable * unit) }
  }
  const usual = fitted(lines.length >= manyLines)
  const { boxes, leading, sizePx } = usual.isLow ? fitted(true) : usual
  const { subtitle, eyebrow } = texts
  if (sizePx < sizeMin * unit && (subtitle ?? eyebrow) !== undefined) {
    drawWith(stage, { ...texts, [subtitle === undefined ? 'eyebrow' : 'subtitle']: undefined }, draw)
    return
  }
  const codePx = rows * leading * sizePx
  stage.setTexts({
    area,
    boxes,
    tail: {
      heightPx: codePx + 2 * edgePx,
      gapPx,
      draw(panel) {
        drawPanel(canvas, panel, palette, unit)
        const inner = { x: panel.x + besidesPx, y: panel.y + edgePx, width: widthPx, height: codePx }
        drawCode(lines, canvas, inner, { sizePx, leading }, palette, code.endsWith('…'))
      },
    },
  })
}

function drawPanel(canvas: Canvas, area: Area, { panel, plain }: Palette, unit: number): void {
  const { x, y, width, height } = area
  const radius = 18 * unit
  canvas.shape(roundedRectangle(0, 0, width, height, radius), x, y, width, mix(panel, plain, 0.14))
  canvas.shape(roundedRectangle(1.5, 1.5, width - 3, height - 3, radius - 1.5), x, y, width, panel)
}

type Palette = Readonly<Record<CodeKind | 'panel', Rgb>>

const contrastMin = 4.6

/** Colours of code on a panel that is darker than a dark theme, and lighter than a light one. */
function paletteOf({ ink, paleInk, background, mark, eyebrow }: CardColors): Palette {
  const isDark = contrastRatio(ink, white) < 2.5
  const own = contrastRatio(ink, background) >= 7 ? background : isDark ? dark : white
  const panel = isDark ? mix(own, { r: 0, g: 0, b: 0 }, 0.45) : mix(own, white, 0.6)
  const hue = [mark, eyebrow].map(toOklch).find(({ c }) => c >= 0.04)?.h ?? 262
  function inkAt(h: number): Rgb {
    return readable({ l: isDark ? 0.8 : 0.48, c: 0.13, h: (h + 360) % 360 }, panel, contrastMin)
  }
  // Kinds of code turn the hue of the theme's mark, in degrees; added lines are green and removed ones red in every theme.
  return {
    panel,
    plain: ink,
    keyword: inkAt(hue),
    name: inkAt(hue - 62),
    string: inkAt(hue - 116),
    number: inkAt(hue + 150),
    comment: readable({ ...toOklch(paleInk), l: isDark ? 0.62 : 0.55 }, panel, contrastMin),
    added: inkAt(150),
    removed: inkAt(25),
  }
}

const dark: Rgb = { r: 18, g: 20, b: 26 }

interface CodeLine {
  readonly text: string
  readonly widthUnits: number
  readonly chunks: readonly Chunk[]
}

interface Chunk {
  readonly kind: CodeKind
  readonly text: string
  /** Offset into the line. */
  readonly start: number
  readonly fitted: FittedText
  readonly xUnits: number
}

/** The size at which code is measured: nothing of a line depends on it. */
const measurePx = 100
const unitsPerPx = 1000 / measurePx
const spaceUnits = 600
/** Words with the spaces between them; a comment from right to left begins where its letters do. */
const chunk =
  /(?! )(?:[^ \u0590-\u08FF\uFB1D-\uFEFC]| (?! |$))+|[\u0590-\u08FF\uFB1D-\uFEFC](?:[^ ]| (?! |$))*/g

function measured(canvas: Canvas, text: string): FittedText {
  return canvas.line('code', text, measurePx)
}

/** Code of one kind stands where a typewriter has it; wide letters move what follows. */
function linesOf(lines: readonly (readonly CodeSpan[])[], canvas: Canvas): readonly CodeLine[] {
  return lines.map((spans) => {
    const chunks: Chunk[] = []
    let [x, start] = [0, 0]
    for (const { kind, text } of spans) {
      let at = 0
      for (const { 0: found, index } of text.matchAll(chunk)) {
        x += (index - at) * spaceUnits
        const part = found.trimEnd()
        const fitted = measured(canvas, part)
        chunks.push({ kind, text: part, start: start + index, fitted, xUnits: x })
        x += fitted.widthPx * unitsPerPx
        at = index + part.length
      }
      x += (text.length - at) * spaceUnits
      start += text.length
    }
    return { text: spans.map(({ text }) => text).join(''), widthUnits: x, chunks }
  })
}

/** The height of lines as a multiple of one: those without a sign are lower. */
function heightOf(lines: readonly CodeLine[]): number {
  return lines.reduce((sum, { chunks }) => sum + (chunks.length === 0 ? 0.55 : 1), 0)
}

type CodeType = Readonly<Record<'sizePx' | 'leading', number>>

/** Draws the lines once for each colour, so that a card has few paths. */
function drawCode(
  lines: readonly CodeLine[],
  canvas: Canvas,
  area: Area,
  type: CodeType,
  palette: Palette,
  isCut: boolean,
): void {
  const { sizePx, leading } = type
  const widthUnits = (area.width / sizePx) * 1000
  const shown = lines.map((line) =>
    line.widthUnits > widthUnits + 1 ? cutLine(line, canvas, widthUnits) : line,
  )
  const fitted = {
    sizePx,
    lineHeightPx: leading * sizePx,
    widthPx: area.width,
    heightPx: area.height,
    direction: 'ltr',
    truncated: isCut || shown.some((line, at) => line !== lines[at]),
  } as const
  const align = canvas.direction === 'rtl' ? 'end' : 'start'
  const kinds = new Set<CodeKind>(['plain', ...shown.flatMap(({ chunks }) => chunks.map(({ kind }) => kind))])
  for (const kind of kinds) {
    const drawn = shown.map((line, at) => fittedLine(line, kind, heightOf(shown.slice(0, at)), type))
    // The first has the texts of all lines; the others are marks on them.
    const role = kind === 'plain' ? 'code' : 'sign'
    canvas.text(role, { ...fitted, lines: drawn }, area, palette[kind], align)
  }
}

function fittedLine(
  { text, widthUnits, chunks }: CodeLine,
  kind: CodeKind,
  above: number,
  { sizePx, leading }: CodeType,
): FittedLine {
  const scale = sizePx / 1000
  const ink = new Bounds()
  ink.add(0, 0)
  for (const { fitted, xUnits } of chunks)
    for (const { ink: own } of fitted.lines) {
      const right = (own.right * unitsPerPx + xUnits) * scale
      ink.add(right, own.top * unitsPerPx * scale)
      ink.add(right, own.bottom * unitsPerPx * scale)
    }
  return {
    start: 0,
    end: text.length,
    text,
    widthPx: widthUnits * scale,
    baselinePx: (above * leading + leading / 2 + 0.31) * sizePx,
    pieces: chunks
      .filter((each) => each.kind === kind)
      .flatMap(({ fitted, xUnits }) =>
        fitted.lines.flatMap(({ pieces }) =>
          pieces.map((piece) => ({ ...piece, xUnits: piece.xUnits + Math.round(xUnits) })),
        ),
      ),
    code: [],
    // From the edge of the box, on which the ink of other texts is set.
    ink: { ...ink, left: 0 },
  }
}

/** The beginning of a line, with an ellipsis. */
function cutLine({ text, widthUnits, chunks }: CodeLine, canvas: Canvas, maxUnits: number): CodeLine {
  const unitsOf = ({ fitted }: Pick<Chunk, 'fitted'>) => fitted.widthPx * unitsPerPx
  const at = chunks.findIndex((each) => unitsOf(each) > maxUnits - each.xUnits - spaceUnits)
  const last = chunks[at]
  if (last === undefined) return { text, widthUnits, chunks }
  const { xUnits, start } = last
  const graphemes = graphemesOf(last.text)
  const fittingCount = (graphemes.length * (maxUnits - xUnits - spaceUnits)) / unitsOf(last)
  for (let count = Math.max(0, Math.floor(fittingCount)); ; count--) {
    const part = `${graphemes.slice(0, count).join('')}…`
    const cut = { ...last, text: part, fitted: measured(canvas, part) }
    if (unitsOf(cut) <= maxUnits - xUnits || count === 0)
      return {
        text: text.slice(0, start) + part,
        widthUnits: xUnits + unitsOf(cut),
        chunks: [...chunks.slice(0, at), cut],
      }
  }
}

/** The language that the caller names, else that of the file's ending. */
function languageOf(params: object | undefined, file: string | undefined): string | undefined {
  const language: unknown = Reflect.get(params ?? {}, 'language')
  const ending = file?.slice(file.lastIndexOf('.') + 1).toLowerCase()
  return [language, ending]
    .flatMap((name) =>
      Object.entries(languages).filter(
        ([full, { short }]) => full === name || short.split(' ').includes(String(name)),
      ),
    )
    .at(0)?.[0]
}
