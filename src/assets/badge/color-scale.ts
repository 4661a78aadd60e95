import { colorOf } from './color-names.ts'

const stepsMax = 20

/**
 * The one spelling of a colour, or of a scale of colours by value such as `0:red,50:yellow,80:green`; undefined for any other
 * text.
 */
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

/**
 * The colour of a value: the one of the largest threshold that the value reaches. Undefined below all of them, and for a value
 * that is no number. A plain colour is that of every value.
 */
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
