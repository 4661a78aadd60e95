import { memo, weakMemo } from '../lib/memo.ts'
import { type BrandFace, type FontSource, isBrandFile } from './brand-fonts/brand-font.ts'
import { fontFileFor } from './coverage/lookup.ts'
import stems from './data/stems.json' with { type: 'json' }
import type { FontFile } from './font-files.ts'
import type { Direction, Family, TextRequest, TextStyle } from './types.ts'
import type { StyledFont, WordStore } from './word-store.ts'

/** The font of a file, from right to left where the level is odd. */
export type FontOf = (file: FontFile, level: number) => StyledFont

export type StyleFonts = ReturnType<typeof createStyleFonts>

const boldWeightMin = 600
/** From this size on, serifs take their finer shapes. */
const displaySizePx = 40
/** The sizes in points that shapes are made for. */
const [displayPoints, textPoints] = [72, 14] as const
/** Limits of a style: languages that keep their fonts, and fonts of each. */
const languagesMax = 8
const fontsMax = 64
/** Fonts whose letters join or stack: letter spacing would tear them apart. */
const connected =
  /noto-(?:sans|serif)-(?!jp|sc|tc|kr|hk|mono|armenian|georgian|cherokee|ethiopic|hebrew|symbols|math|yi|lisu|tifinagh|canadian|ol-chiki)|noto-naskh/

const opticalSizes = /inter-ui|newsreader|source-serif/

/** Returns the fonts of a style: kept with it, because a theme sets every card in the same few styles. */
export function createStyleFonts(words: WordStore) {
  const fontsOf = weakMemo((style: TextStyle) =>
    memo((look: string) => createFontOf(words, style, look), languagesMax),
  )
  return ({ style, lang, sizesPx = [] }: TextRequest): FontOf => {
    // Inter keeps its text shapes at every size: letter spacing makes them titles.
    const hasDisplayShapes = style.font !== undefined || style.family.startsWith('serif')
    const isDisplay = hasDisplayShapes && sizesPx.some((sizePx) => sizePx >= displaySizePx)
    const tag = shapingLanguage(lang)
    return fontsOf(style)(isDisplay ? `${tag} display` : tag)
  }
}

/** The font of a face for a style: its own, or the file for its weight. */
export function sourceOf(file: FontFile, { font, weight }: TextStyle): FontSource {
  if (font !== undefined && isBrandFile(file)) return font
  return weight >= boldWeightMin && file.bold !== undefined ? file.bold : file
}

/** A font may have other shapes for large sizes. */
export function hasOpticalSizes(file: FontFile): boolean {
  return isBrandFile(file) || opticalSizes.test(file.packageName)
}

/** @param look a language, with ` display` behind it for large sizes */
function createFontOf(words: WordStore, style: TextStyle, look: string): FontOf {
  const [lang = '', display] = look.split(' ')
  const isDisplay = display !== undefined
  // Fonts are instanced at whole hundreds, so that a handful of them serves every style.
  const weight = Math.min(900, Math.max(100, Math.round(style.weight / 100) * 100)) || 400
  const tracking = Math.round(style.trackingUnits ?? 0)
  // Letters of other faces are as thick as the family's; Noto's faces are made for the sans.
  const own = style.family === 'sans' ? undefined : ownFile(style.family)
  const fontsIn = (direction: Direction) =>
    memo((face: FontFile) => {
      const source = sourceOf(face, style)
      // A theme's tracking is for its own fonts.
      const trackingUnits = isBrandFile(face) || connected.test(face.packageName) ? 0 : tracking
      // Fonts with one shape for all sizes share their words.
      const variation = {
        weight: own === undefined ? weight : matchedWeight(face, own, weight, isDisplay),
        opticalSize: isDisplay && hasOpticalSizes(face) ? displayPoints : textPoints,
      }
      return words.font({ source, variation, trackingUnits, direction, lang })
    }, fontsMax)
  const [ltr, rtl] = [fontsIn('ltr'), fontsIn('rtl')]
  return (face, level) => (level % 2 === 1 ? rtl : ltr)(face)
}

/** The part of a language tag that fonts know forms for; English has none, so it shares words with no language. */
function shapingLanguage(lang: string | undefined): string {
  const primary = lang?.match(/^[a-z]{2,3}(?=-|$)/i)?.[0].toLowerCase() ?? ''
  return primary === 'en' ? '' : primary
}

/** The font of spaces. */
export function ownFile(family: Family, brand?: BrandFace): FontFile {
  return brand?.file ?? spaceFile(family)
}

const spaceFile = memo((family: Family): FontFile => {
  const file = fontFileFor(family, 0x20)
  if (file === undefined) throw new Error(`${family} has no space`)
  return file
})

export function hyphenFile(family: Family, brand?: BrandFace): FontFile {
  return ownFile(family, brand?.has(0x2d) ? brand : undefined)
}

/** Upright strokes in 1/1000 em at the weights 100, 150 … 900, for text and where they differ for display; by `build.ts`. */
const strokes: Readonly<Record<string, string>> = stems
const steps = { first: 100, each: 50 }
/** Noto Sans of scripts without an upright stroke to measure have the strokes of this one. */
const usualNoto = '@fontsource-variable/noto-sans-thai'
const notoSans = /^@fontsource-variable\/noto-sans-/
/** Their strokes lie: upright ones say nothing of how bold they look. */
const lyingStrokes = /noto-(?:serif-hebrew|naskh)/
/** Weights are rounded to this, so that few instances of a font serve all styles. */
const grid = 5

/** The weight at which the strokes of a face are as thick as those of a family's own face at `weight`, a whole hundred. */
export function matchedWeight(file: FontFile, own: FontFile, weight: number, isDisplay: boolean): number {
  if (file.packageName === own.packageName || lyingStrokes.test(file.packageName)) return weight
  const [target, curve] = [curveOf(own, isDisplay), curveOf(file, isDisplay)]
  if (target === undefined || curve === undefined) return weight
  return weightOf(curve, target[(weight - steps.first) / steps.each] ?? 0)
}

function curveOf(file: FontFile, isDisplay: boolean): readonly number[] | undefined {
  const name = faceName(file)
  const [text, display = text] =
    (strokes[name] ?? (notoSans.test(name) ? strokes[usualNoto] : undefined))?.split(' / ') ?? []
  return (isDisplay ? display : text)?.split(' ').map(Number)
}

/** A package may have an upright and an italic face. */
export function faceName({ packageName, file }: FontFile): string {
  return file.includes('italic') ? `${packageName} italic` : packageName
}

function weightOf(curve: readonly number[], stem: number): number {
  const last = curve.length - 1
  const above = curve.findIndex((thickness) => thickness >= stem)
  const next = above < 0 ? last : above
  const [low = 0, high = 0] = [curve[next - 1] ?? curve[next], curve[next]]
  const share = high > low ? Math.min(1, (stem - low) / (high - low)) : 0
  const position = next === 0 ? 0 : next - 1 + share
  return Math.round((steps.first + position * steps.each) / grid) * grid
}
