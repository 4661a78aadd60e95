import { toHex } from '../lib/color.ts'
import { readCssColor } from '../lib/css-color.ts'
import type { FillRule } from './fill-coverage.ts'
import { readNumbers } from './read-numbers.ts'
import type { Pen } from './stroke-pen.ts'
import { NeedsPixels } from './svg-errors.ts'
import type { Declared } from './svg-style.ts'

/** Properties that an element inherits. */
export interface Inherited {
  readonly fill: string
  readonly fillOpacity: number
  readonly fillRule: FillRule
  readonly stroke: string
  readonly strokeOpacity: number
  readonly pen: Pen
  /** The value of `currentColor`. */
  readonly color: string
  readonly isVisible: boolean
}

export const initialPaint: Inherited = {
  fill: 'black',
  fillOpacity: 1,
  fillRule: 'nonzero',
  stroke: 'none',
  strokeOpacity: 1,
  pen: { width: 1, cap: 'butt', join: 'miter', miterLimit: 4 },
  color: 'black',
  isVisible: true,
}

const fillRules = ['nonzero', 'evenodd'] as const
const caps = ['butt', 'round', 'square'] as const
const joins = ['miter', 'round', 'bevel'] as const

/** @throws NeedsPixels for values that are no plain ones. */
export function inherit(from: Inherited, declared: Declared): Inherited {
  function value<Value>(property: string, parent: Value, read: (text: string) => Value): Value {
    const text = declared.get(property)
    return text === undefined || text.trim() === 'inherit' ? parent : read(text.trim())
  }
  const color = value('color', from.color, (text) => text)
  return {
    fill: value('fill', from.fill, (text) => withCurrentColor(text, color)),
    fillOpacity: value('fill-opacity', from.fillOpacity, readShare),
    fillRule: value('fill-rule', from.fillRule, oneOf(fillRules)),
    stroke: value('stroke', from.stroke, (text) => withCurrentColor(text, color)),
    strokeOpacity: value('stroke-opacity', from.strokeOpacity, readShare),
    pen: {
      width: value('stroke-width', from.pen.width, readLength),
      cap: value('stroke-linecap', from.pen.cap, oneOf(caps)),
      join: value('stroke-linejoin', from.pen.join, oneOf(joins)),
      miterLimit: value('stroke-miterlimit', from.pen.miterLimit, readLength),
    },
    color,
    isVisible: value('visibility', from.isVisible, (text) => text === 'visible'),
  }
}

/** The colour `#rrggbb` and the opacity of a paint; undefined for none. @throws NeedsPixels for gradients and patterns. */
export function readPaint(text: string): { readonly fill: string; readonly alpha: number } | undefined {
  const word = text.toLowerCase()
  if (word === 'none') return undefined
  const color = readCssColor(word)
  if (color === undefined) throw new NeedsPixels(`the paint ${word}`)
  return color.alpha === 0 ? undefined : { fill: toHex(color.rgb), alpha: color.alpha }
}

/** A number from 0 to 1, or a percentage. */
export function readShare(text: string): number {
  const [, digits = '', percent = ''] = /^([-+.\de]+)(%?)$/.exec(text.trim()) ?? []
  const value = digits === '' ? Number.NaN : Number(digits) / (percent === '' ? 1 : 100)
  if (Number.isNaN(value)) throw new NeedsPixels(`the share ${text}`)
  return Math.min(1, Math.max(0, value))
}

/** A length in user units. @throws NeedsPixels for percentages and other units. */
export function readLength(text: string): number {
  const [number, ...more] = readNumbers(text.trim().replace(/px$/i, '')) ?? []
  if (number === undefined || more.length > 0) throw new NeedsPixels(`the length ${text}`)
  return number
}

function withCurrentColor(text: string, color: string): string {
  return text.toLowerCase() === 'currentcolor' ? color : text
}

function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text)
    if (word === undefined) throw new NeedsPixels(`the value ${text}`)
    return word
  }
}
