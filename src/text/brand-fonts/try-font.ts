import process from 'node:process'
import { Bounds, type Box } from '../../svg/bounds.ts'
import { type Edge, flattened } from '../../svg/path-kit.ts'
import type { PathSink } from '../../svg/read-path.ts'
import { glyphOutline, type HarfBuzz, type HarfBuzzFont, type ShapedGlyph } from '../harfbuzz.ts'
import { isWordLetter } from '../word-letters.ts'
import { type FontAxis, isGeneralMark, writeRanges } from './brand-font.ts'
import { FontRefused, glyphsMax, trialLimits } from './font-limits.ts'

/** Characters that have no ink in any font: spaces, what steers others, the blank of Braille, fillers of Hangul. */
const inkless = /^[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u115F\u1160\u3164\uFFA0]$/u
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const space = 0x20
/** Makes as many glyphs as the word under it is long. */
const stretched = 0x70f
/** Shaped together: enough for the letters of a script to meet. */
const pointsPerRun = 25
const weights = [400, 800]

/**
 * Draws every character of a font and shapes runs of them, at the weights that cards use. HarfBuzz cannot be stopped while it
 * shapes: a font that takes too long here would stop the server. @throws FontRefused
 */
export function tryFont(harfbuzz: HarfBuzz, bytes: Uint8Array, axes: readonly FontAxis[]) {
  const face = harfbuzz.createFace(bytes)
  const clock = createCpuClock()
  const [font, ...others] = (axes.length > 0 ? weights : weights.slice(0, 1)).map((wght) =>
    face.font({ wght, opsz: 14 }),
  )
  if (font === undefined) throw new Error('There is a weight')
  // Control characters, surrogates and private characters are left out: their meaning differs from font to font.
  const points = face
    .codePoints()
    .filter((point) => point >= 0x20 && !(point >= 0xd800 && point <= 0xf8ff) && point < 0xf0000)
  const drawn = drawnPoints(font, points, clock)
  if (!drawn.includes(space)) throw new FontRefused('has no space between words')
  if (!drawn.some((point) => /\p{L}|\p{N}/u.test(String.fromCodePoint(point))))
    throw new FontRefused('draws no letter and no digit')
  const tried = drawn.filter((point) => point !== stretched)
  for (const one of [font, ...others]) shapeRuns(one, tried, clock)
  if (harfbuzz.heapBytes() > trialLimits.heapBytesMax)
    throw new FontRefused('takes too much memory to set text with')
  const placed = marksByLetters([font], drawn, markPairsMax, clock.check)
  const weight = axes.some(({ tag }) => tag === 'wght') ? undefined : strokeWeight(font)
  return {
    coverage: writeRanges(drawn),
    marks: Array.from(placed, ([letters, marks]) => ({ marks: writeRanges(marks), letters })),
    ...(weight === undefined ? {} : { weight }),
  }
}

/** Characters that need no ink, or have ink of a size that cards can hold. */
function drawnPoints(font: HarfBuzzFont, points: readonly number[], clock: CpuClock): number[] {
  let [letters, segments] = [0, 0]
  const drawn = points.filter((point) => {
    clock.check()
    const glyph = font.glyphOf(point)
    const character = String.fromCodePoint(point)
    if (glyph === 0) return false
    if (inkless.test(character)) return true
    const ink = inkOf(font, glyph)
    if (ink.segments > trialLimits.segmentsMax)
      throw new FontRefused('has a glyph with too many lines and curves')
    if (ink.reach > trialLimits.reachMax) return false
    if (isWordLetter(point)) letters++
    if (isWordLetter(point)) segments += ink.segments
    return ink.segments > 0
  })
  if (segments > letters * trialLimits.letterSegmentsMax)
    throw new FontRefused(
      `has letters of ${Math.round(segments / letters)} lines and curves; at most ${trialLimits.letterSegmentsMax} are allowed`,
    )
  return drawn
}

function inkOf(font: HarfBuzzFont, glyph: number) {
  let [segments, reach] = [0, 0]
  function to(...places: number[]) {
    segments++
    for (const place of places) reach = Math.max(reach, Math.abs(place))
  }
  const sink: PathSink = { moveTo: to, lineTo: to, quadraticTo: to, cubicTo: to, close: () => undefined }
  font.draw(glyph, sink)
  return { segments, reach }
}

/** Each run is as long as a long word: what takes a font long takes it longer with more. */
function shapeRuns(font: HarfBuzzFont, points: readonly number[], clock: CpuClock): void {
  for (let at = 0; at < points.length; at += pointsPerRun) {
    const some = String.fromCodePoint(...points.slice(at, at + pointsPerRun))
    const text = some.repeat(Math.ceil(trialLimits.runLength / some.length))
    const direction = rightToLeft.test(text) ? 'rtl' : 'ltr'
    let spentMs = Infinity
    // Once more where it took long: the machine may have had other work.
    for (let tries = 0; tries < 3 && spentMs > trialLimits.runCpuMsMax; tries++) {
      const startMs = clock.nowMs()
      const glyphs = font.shape({ text, start: 0, end: text.length, direction, lang: '', separate: false })
      spentMs = clock.nowMs() - startMs
      if (growsLarge(glyphs, text.length)) throw new FontRefused('makes too many glyphs of a few characters')
      if (glyphs.some(({ xAdvance }) => Math.abs(xAdvance) > 4 * trialLimits.reachMax))
        throw new FontRefused('has letters wider than any card')
      clock.check()
    }
    if (spentMs > trialLimits.runCpuMsMax) throw new FontRefused('takes too long to set text with')
  }
}

/** True where what is drawn together, such as a letter with its marks, becomes more glyphs than it may. */
function growsLarge(glyphs: readonly ShapedGlyph[], length: number): boolean {
  const counts = new Map<number, number>()
  for (const { cluster } of glyphs) counts.set(cluster, (counts.get(cluster) ?? 0) + 1)
  const starts = [...counts.keys()].sort((a, b) => a - b)
  return starts.some(
    (start, index) => (counts.get(start) ?? 0) > glyphsMax((starts[index + 1] ?? length) - start),
  )
}

type CpuClock = ReturnType<typeof createCpuClock>

/** CPU time of this process: a busy machine does not count against a font. */
function createCpuClock() {
  function nowMs(): number {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const startMs = nowMs()
  let calls = 0
  return {
    nowMs,
    /** @throws FontRefused once the whole trial has taken too long. */
    check(): void {
      if (++calls % 16 === 0 && nowMs() - startMs > trialLimits.cpuMsMax)
        throw new FontRefused('takes too long to check')
    },
  }
}

/** Pairs of letter and mark that are tried, the usual letters first; a mark counts as lacking on every other letter. */
const markPairsMax = 20_000

/** General marks by the letters that fonts place them on, all of them. To have a mark is not enough: see docs/decisions/faces.md. */
export function marksByLetters(
  fonts: readonly HarfBuzzFont[],
  points: readonly number[],
  pairsMax = Infinity,
  checkTime = () => {},
): ReadonlyMap<string, number[]> {
  const marks = points.filter(isGeneralMark)
  const letters = points.filter(isWordLetter).slice(0, Math.floor(pairsMax / Math.max(1, marks.length)))
  const judges = fonts.map((font) => createMarkJudge(font, marks))
  return Map.groupBy(marks, (mark) => {
    const placed = letters.filter((letter) => {
      checkTime()
      return judges.every((places) => places(letter, mark))
    })
    return writeRanges(placed)
  })
}

/**
 * The thickest strokes, as a share of the height of letters, of a font that looks like this weight: measured of Inter, half-way
 * to the next weight. Ours are not set thinner than regular, whatever stands beside them.
 */
const shares = { 400: 0.1363, 500: 0.1581, 600: 0.1794, 700: 0.2026, 800: 0.2284, 900: Infinity }

const letters = 'nohaesHEOT'

/**
 * The weight that the strokes of a static font look like, so that ours beside it are as bold. A font's own word is for a menu:
 * display faces of one weight call themselves regular. Undefined for a font without letters of these.
 */
function strokeWeight(font: HarfBuzzFont): number | undefined {
  let [area, rim, height, count] = [0, 0, 0, 0]
  for (const letter of letters) {
    const edges = letterEdges(font, letter)
    const { bottom, top } = heightsOf(edges)
    if (edges.length === 0 || top <= bottom) continue
    area += Math.abs(edges.reduce((sum, [x, y, toX, toY]) => sum + (x * toY - toX * y) / 2, 0))
    rim += edges.reduce((sum, [x, y, toX, toY]) => sum + Math.hypot(toX - x, toY - y), 0)
    height += top - bottom
    count++
  }
  if (count < letters.length / 2) return undefined
  // A stroke of length l and thickness t has an area of l t and a rim of about 2 l.
  const share = (2 * area) / rim / (height / count)
  return Number(Object.entries(shares).find(([, most]) => share <= most)?.[0])
}

/** The outline of a letter as lines, in 1/1000 em; none where the font does not have it. */
export function letterEdges(font: HarfBuzzFont, letter: string): readonly Edge[] {
  const edges: Edge[] = []
  let [pen, start]: (readonly number[])[] = []
  function add(...points: readonly number[]): void {
    edges.push(...flattened([...(pen ?? points), ...points]))
    pen = points.slice(-2)
  }
  function moveTo(...point: readonly number[]): void {
    pen = start = point
  }
  const glyph = font.glyphOf(letter.codePointAt(0) ?? 0)
  const close = () => add(...(start ?? []))
  if (glyph > 0) font.draw(glyph, { moveTo, lineTo: add, quadraticTo: add, cubicTo: add, close })
  return edges
}

export function heightsOf(edges: readonly Edge[]) {
  const heights = edges.flatMap(([, from, , to]) => [from, to])
  return { bottom: Math.min(...heights), top: Math.max(...heights) }
}

/** In 1/1000 em: how far a mark's centre may lie beside its letter. */
const tolerance = 60
/** Marks over or under two letters: their centre lies at the end of the first. */
const firstDouble = 0x35c
const lastDouble = 0x362

/** Fonts have marks that they place on some letters only: on the others the mark would stand beside the letter, or take room. */
function createMarkJudge(font: HarfBuzzFont, marks: readonly number[]) {
  function shape(text: string): ShapedGlyph[] {
    return font.shape({ text, start: 0, end: text.length, direction: 'ltr', lang: '', separate: false })
  }
  const alone = new Map(
    marks.flatMap((mark) => shape(String.fromCodePoint(mark)).map((one) => [one.id, one])),
  )
  return (letter: number, mark: number): boolean => {
    const base = shape(String.fromCodePoint(letter))
    const both = shape(String.fromCodePoint(letter, mark))
    if (both.some(({ id }) => id === 0)) return false
    if (both.length <= base.length) return true
    if (Math.abs(advanceOf(both) - advanceOf(base)) > tolerance) return false
    const under = inkBox(font, base, 0)
    const over = inkBox(font, both.slice(base.length), advanceOf(both.slice(0, base.length)))
    const centre = (over.left + over.right) / 2
    const isDouble = mark >= firstDouble && mark <= lastDouble
    // A mark that is moved stands elsewhere than it would without a letter.
    const last = both.at(-1)
    const own = last && alone.get(last.id)
    const isMoved = own?.xOffset !== last?.xOffset || own?.yOffset !== last?.yOffset
    const room = isMoved ? tolerance : (under.left - under.right) / 5
    return centre > under.left - room && (isDouble || centre < under.right + room)
  }
}

function advanceOf(glyphs: readonly ShapedGlyph[]): number {
  return glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
}

function inkBox(font: HarfBuzzFont, glyphs: readonly ShapedGlyph[], start: number): Box {
  const ink = new Bounds()
  let pen = start
  for (const { id, xAdvance, xOffset } of glyphs) {
    const outline = glyphOutline(font, id)
    if (outline !== undefined) ink.addBox(outline.ink, pen + xOffset)
    pen += xAdvance
  }
  return ink
}
