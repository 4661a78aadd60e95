import { opaqueColor } from '../../lib/color.ts'
import { words } from '../../lib/words.ts'
import colors from './colors.json' with { type: 'json' }

/** The badge palette. It wins over CSS names; white or near-black text is readable on each colour. */
export const { palette } = colors

export const statusColors: ReadonlyMap<string, string> = new Map(
  Object.entries(colors.statusWords).flatMap(([name, list]) =>
    words(list).map((word) => [word, palette[name as keyof typeof palette]] as const),
  ),
)

const named: ReadonlyMap<string, string> = new Map<string, string>([
  ...statusColors,
  ...Object.entries(palette),
  ['gray', palette.grey],
  ['lightgray', palette.lightgrey],
])

/** `#rrggbb` for a name of the palette, a status word or any opaque colour that CSS writes; undefined for anything else. */
export function colorOf(text: string): string | undefined {
  return named.get(text.trim().toLowerCase()) ?? opaqueColor(text)
}

const stepsMax = 20

/** The one spelling of a colour, or of a scale of colours by value such as `0:red,50:yellow,80:green`. */
export function parseColorScale(text: string): string | undefined {
  if (!/^\s*[+-]?[\d.]/.test(text) || !text.includes(':')) return colorOf(text)
  const steps = text.split(',').map(parseStep)
  if (steps.length > stepsMax || steps.includes(undefined)) return undefined
  return steps.join(',')
}

function parseStep(step: string): string | undefined {
  const [, threshold, name = ''] = /^\s*([+-]?\d{1,15}(?:\.\d{1,9})?)\s*:(.*)$/s.exec(step) ?? []
  const color = colorOf(name)
  return threshold === undefined || color === undefined ? undefined : `${Number(threshold)}:${color}`
}

/** The colour of the largest threshold that a value reaches; a plain colour is that of every value. */
export function colorByValue(scale: string, value: number | string): string | undefined {
  if (!scale.includes(':')) return scale
  const number = typeof value === 'number' ? value : numberIn(value)
  const steps = scale.split(',').map((step) => step.split(':'))
  const reached = steps.filter(([threshold]) => number !== undefined && Number(threshold) <= number)
  return reached.toSorted(([one], [other]) => Number(one) - Number(other)).at(-1)?.[1]
}

/** The number at the beginning of a text such as `93.5%` or `1,204 users`. */
function numberIn(text: string): number | undefined {
  const [number] = /^[+\-\u2212]?\d[\d,]*(?:\.\d+)?|^[+\-\u2212]?\.\d+/.exec(text.trim()) ?? []
  return number === undefined ? undefined : Number(number.replaceAll(',', '').replace('\u2212', '-'))
}
