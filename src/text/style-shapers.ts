import type { FontFile } from './coverage/lookup.ts'
import type { FitRequest, TextStyle } from './types.ts'
import type { Shaper, WordStore } from './word-store.ts'

type StyleRequest = Pick<FitRequest, 'style' | 'lang' | 'sizesPx'>

/** Shapes with one font, from right to left where the level is odd. */
export type ShaperOf = (file: FontFile, level: number) => Shaper

export type StyleShapers = ReturnType<typeof createStyleShapers>

const boldWeightMin = 600
/** From this size on, serifs take their finer shapes. */
const displaySizePx = 40
/** Of a style: how many languages keep their shapers, and for how many fonts each. */
const languagesMax = 8
const fontsMax = 64
/** Fonts whose letters join or stack: letter spacing would tear them apart. */
const connected = /noto-sans-(?!jp|sc|tc|kr|armenian|georgian|cherokee|ethiopic|hebrew|symbols|math)/

/** Returns the shapers of a style: kept with it, because a theme sets every card in the same few styles. */
export function createStyleShapers(words: WordStore): (request: StyleRequest) => ShaperOf {
  const byStyle = new WeakMap<TextStyle, Map<string, ShaperOf>>()
  return ({ style, lang, sizesPx }) => {
    const isDisplay = isSerif(style) && sizesPx.some((sizePx) => sizePx >= displaySizePx)
    const tag = shapingLanguage(lang)
    const key = isDisplay ? `${tag} display` : tag
    const kept = byStyle.get(style) ?? new Map<string, ShaperOf>()
    const cached = kept.get(key)
    if (cached !== undefined) return cached
    if (kept.size >= languagesMax) kept.clear()
    // Inter keeps its text shapes at every size: letter spacing makes them titles.
    const shaperOf = createShaperOf(words, style, tag, isDisplay ? 72 : 14)
    byStyle.set(style, kept.set(key, shaperOf))
    return shaperOf
  }
}

/** The file of a face for a weight. */
export function weightedFile(file: FontFile, weight: number): FontFile {
  return weight >= boldWeightMin && file.bold !== undefined ? file.bold : file
}

function createShaperOf(words: WordStore, style: TextStyle, lang: string, opticalSize: number): ShaperOf {
  const variation = { weight: wholeHundreds(style.weight), opticalSize }
  const tracking = Math.round(style.trackingUnits ?? 0)
  const ltr = new Map<FontFile, Shaper>()
  const rtl = new Map<FontFile, Shaper>()
  return (face, level) => {
    const isRtl = level % 2 === 1
    const shapers = isRtl ? rtl : ltr
    const cached = shapers.get(face)
    if (cached !== undefined) return cached
    const file = weightedFile(face, style.weight)
    const trackingUnits = connected.test(file.packageName) ? 0 : tracking
    const direction = isRtl ? 'rtl' : 'ltr'
    const shaper = words.shaper({ file, variation, trackingUnits, direction, lang })
    if (shapers.size >= fontsMax) shapers.clear()
    shapers.set(face, shaper)
    return shaper
  }
}

function isSerif({ family }: TextStyle): boolean {
  return family === 'serif' || family === 'serif-italic'
}

/** Fonts are instanced at whole hundreds, so that a handful of them serves every style. */
function wholeHundreds(weight: number): number {
  return Math.min(900, Math.max(100, Math.round(weight / 100) * 100)) || 400
}

/** The part of a language tag that fonts know forms for; English has none, so it shares words with no language. */
function shapingLanguage(lang: string | undefined): string {
  const primary = lang?.match(/^[a-z]{2,3}(?=-|$)/i)?.[0].toLowerCase() ?? ''
  return primary === 'en' ? '' : primary
}
