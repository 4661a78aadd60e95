import type { FontFile } from '../coverage/lookup.ts'
import stems from '../data/stems.json' with { type: 'json' }

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

/** The weight at which the strokes of a face are as thick as those of a family's own face at `weight`. */
export function matchedWeight(file: FontFile, own: FontFile, weight: number, isDisplay: boolean): number {
  if (file.packageName === own.packageName || lyingStrokes.test(file.packageName)) return weight
  const [target, curve] = [curveOf(own, isDisplay), curveOf(file, isDisplay)]
  if (target === undefined || curve === undefined) return weight
  const position = (weight - steps.first) / steps.each
  const [low = 0, high = low] = [target[Math.floor(position)], target[Math.ceil(position)]]
  return weightOf(curve, low + (high - low) * (position % 1))
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
