import { parseHex, type Rgb, toHex } from './color.ts'
import { cssColorNames } from './css-color-names.ts'

export interface CssColor {
  readonly rgb: Rgb
  /** 0 to 1 */
  readonly alpha: number
}

/**
 * A colour as CSS writes it in sRGB: hex digits behind `#` (3, 4, 6 or 8), a name, `rgb()`, `hsl()` or `hwb()` in either
 * syntax, in any case. Undefined for anything else.
 */
export function readCssColor(text: string): CssColor | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'transparent') return { rgb: { r: 0, g: 0, b: 0 }, alpha: 0 }
  const digits = cssColorNames.get(word) ?? (hex.test(word) ? word : undefined)
  if (digits !== undefined) return readHex(digits)
  const [, kind = '', inside = ''] = /^(rgb|hsl|hwb)a?\(([^()]{1,80})\)$/.exec(word) ?? []
  const [a, b, c, alpha = '1', ...more] = inside.replace(/[,/]/g, ' ').trim().split(/\s+/)
  if (a === undefined || b === undefined || c === undefined || more.length > 0) return undefined
  const rgb = functions[kind]?.([a, b, c])
  return rgb && withAlpha(rgb, amountOf(alpha, 1))
}

/** Reads a colour and drops its alpha. */
export function parseCssColor(text: string): Rgb | undefined {
  const color = text.trim().toLowerCase() === 'transparent' ? undefined : readCssColor(text)
  return color?.rgb
}

/**
 * `#rrggbb` of what callers and operators write for a colour: as CSS writes it, or its hex digits without `#`, which would
 * have to be escaped in a URL. Undefined for anything else, and for a colour that is not opaque.
 */
export function opaqueColor(text: string): string | undefined {
  const color = writtenColor(text)
  return color?.alpha === 1 ? toHex(color.rgb) : undefined
}

/** Whether a text is a colour, but lets something through. */
export function isTranslucentColor(text: string): boolean {
  return (writtenColor(text)?.alpha ?? 1) < 1
}

/** A colour as CSS writes it, or its hex digits without `#`. */
export function writtenColor(text: string): CssColor | undefined {
  return readCssColor(text) ?? readCssColor(`#${text.trim()}`)
}

const hex = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/

/** 3, 4, 6 or 8 digits behind `#`. */
function readHex(text: string): CssColor | undefined {
  const isShort = text.length < 6
  const rgb = parseHex(text.slice(0, isShort ? 4 : 7))
  const digits = isShort ? text.slice(4).repeat(2) : text.slice(7)
  return rgb && { rgb, alpha: digits === '' ? 1 : Number.parseInt(digits, 16) / 255 }
}

function withAlpha(rgb: Rgb, alpha: number): CssColor | undefined {
  return Number.isNaN(alpha) ? undefined : { rgb, alpha: Math.min(1, Math.max(0, alpha)) }
}

/** Whether browsers take a text for a colour, of any colour space and with any alpha. */
export function isCssColor(text: string): boolean {
  return readCssColor(text) !== undefined || otherSpace.test(text.trim())
}

const otherSpace = /^(?:(?:oklch|oklab|lch|lab|color|color-mix|light-dark)\([-\w\s.,%/#()]{1,120}\))$/i

type Channels = readonly [string, string, string]

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
