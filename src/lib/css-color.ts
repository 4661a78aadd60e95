import { parseHex, type Rgb } from './color.ts'
import { cssColorNames } from './css-color-names.ts'

/**
 * A colour as CSS writes it in sRGB: hex digits behind `#` (3, 4, 6 or 8), a name, `rgb()`, `hsl()` or `hwb()` in either
 * syntax. Alpha is left out. Undefined for anything else.
 */
export function parseCssColor(text: string): Rgb | undefined {
  const word = text.trim().toLowerCase()
  const name = cssColorNames.get(word)
  if (name !== undefined) return parseHex(name)
  if (hex.test(word)) return parseHex(word.slice(0, word.length < 7 ? 4 : 7))
  const [, kind = '', inside = ''] = /^(rgb|hsl|hwb)a?\(([^()]{1,80})\)$/.exec(word) ?? []
  const parts = channelsOf(inside)
  return parts && functions[kind]?.(parts)
}

const hex = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/

/** Whether browsers take a text for a colour, of any colour space and with any alpha. */
export function isCssColor(text: string): boolean {
  return parseCssColor(text) !== undefined || otherSpace.test(text.trim())
}

const otherSpace =
  /^(?:(?:oklch|oklab|lch|lab|color|color-mix|light-dark)\([-\w\s.,%/#()]{1,120}\)|transparent)$/i

type Channels = readonly [string, string, string]

/** The three channels before alpha; undefined when there are fewer, or more than one behind them. */
function channelsOf(inside: string): Channels | undefined {
  const parts = inside.replace(/[,/]/g, ' ').trim().split(/\s+/)
  const [a, b, c, alpha] = parts
  const hasAlpha = alpha !== undefined && !Number.isNaN(amountOf(alpha, 1))
  if (a === undefined || b === undefined || c === undefined || parts.length > (hasAlpha ? 4 : 3))
    return undefined
  return [a, b, c]
}

const functions: Readonly<Record<string, (channels: Channels) => Rgb | undefined>> = {
  rgb: ([r, g, b]) => finite({ r: amountOf(r, 255), g: amountOf(g, 255), b: amountOf(b, 255) }),
  hsl: ([h, s, l]) => finite(fromHsl(degreesOf(h), ratioOf(s), ratioOf(l))),
  hwb: ([h, w, b]) => finite(fromHwb(degreesOf(h), ratioOf(w), ratioOf(b))),
}

const digits = /^[-+.\de]+$/

function numberOf(text: string): number {
  return digits.test(text) ? Number(text) : Number.NaN
}

/** A number, or a percentage of what is full; NaN for anything else. */
function amountOf(text: string, full: number): number {
  if (text === 'none') return 0
  return text.endsWith('%') ? (numberOf(text.slice(0, -1)) * full) / 100 : numberOf(text)
}

/** From 0 to 1: a percentage, whose sign CSS 4 leaves out. */
function ratioOf(text: string): number {
  const percent = amountOf(text.endsWith('%') ? text.slice(0, -1) : text, 1)
  return Math.min(1, Math.max(0, percent / 100))
}

const degreesByUnit: Readonly<Record<string, number>> = {
  '': 1,
  deg: 1,
  grad: 0.9,
  rad: 180 / Math.PI,
  turn: 360,
}

function degreesOf(text: string): number {
  if (text === 'none') return 0
  const unit = /(?:deg|grad|rad|turn)$/.exec(text)?.[0] ?? ''
  const value = text.slice(0, text.length - unit.length)
  return numberOf(value) * (degreesByUnit[unit] ?? 1)
}

/** Hue in degrees; saturation and lightness from 0 to 1. */
function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  function channel(offset: number): number {
    const turn = (((offset + hue / 30) % 12) + 12) % 12
    const amplitude = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return { r: channel(0), g: channel(8), b: channel(4) }
}

/** Hue in degrees; whiteness and blackness from 0 to 1. */
function fromHwb(hue: number, whiteness: number, blackness: number): Rgb {
  const sum = Math.max(1, whiteness + blackness)
  const white = whiteness / sum
  const share = 1 - white - blackness / sum
  const { r, g, b } = fromHsl(hue, 1, 0.5)
  return { r: r * share + 255 * white, g: g * share + 255 * white, b: b * share + 255 * white }
}

function finite(color: Rgb): Rgb | undefined {
  return Object.values(color).every(Number.isFinite) ? color : undefined
}
