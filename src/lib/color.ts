import cssColors from './css-colors.json' with { type: 'json' }

/** sRGB channels, 0 to 255; fractions allowed between steps. */
export interface Rgb {
  readonly r: number
  readonly g: number
  readonly b: number
}

export const white: Rgb = { r: 255, g: 255, b: 255 }

/** OKLCH: lightness 0 to 1, chroma 0 to about 0.37, hue in degrees. */
export interface Oklch {
  readonly l: number
  readonly c: number
  readonly h: number
}

/** `#rgb` or `#rrggbb` (the `#` may be missing, any case) as a colour; undefined for anything else. */
export function parseHex(text: string): Rgb | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]
  if (digits === undefined) return undefined
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(full, 16)
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255 }
}

/** `#rrggbb`, lower case, channels rounded and clamped. */
export function toHex({ r, g, b }: Rgb): string {
  const value = (channel(r) << 16) | (channel(g) << 8) | channel(b)
  return `#${value.toString(16).padStart(6, '0')}`
}

/** `#abc` for `#aabbcc`; any other colour stays as it is. */
export function shortHex(color: string): string {
  return color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')
}

/** WCAG 2 relative luminance, 0 to 1. */
export function relativeLuminance({ r, g, b }: Rgb): number {
  return 0.2126 * decode(r / 255) + 0.7152 * decode(g / 255) + 0.0722 * decode(b / 255)
}

/** WCAG 2 contrast ratio, 1 to 21, in any order. */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const a = relativeLuminance(one)
  const b = relativeLuminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Paints `over` on `under` with the opacity `amount` (0 to 1), as renderers blend: in sRGB. */
export function mix(under: Rgb, over: Rgb, amount: number): Rgb {
  function blend(from: number, to: number) {
    return from + (to - from) * amount
  }
  return { r: blend(under.r, over.r), g: blend(under.g, over.g), b: blend(under.b, over.b) }
}

export function toOklch({ r, g, b }: Rgb): Oklch {
  const [red, green, blue] = [decode(r / 255), decode(g / 255), decode(b / 255)]
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const x = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const y = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return { l, c: Math.hypot(x, y), h: ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360 }
}

export type Lab = readonly [l: number, a: number, b: number]

export function toOklab(color: Rgb): Lab {
  const { l, c, h } = toOklch(color)
  const angle = (h * Math.PI) / 180
  return [l, c * Math.cos(angle), c * Math.sin(angle)]
}

/** OKLCH as sRGB. A colour that no screen shows keeps lightness and hue and gives up chroma. */
export function fromOklch({ l, c, h }: Oklch): Rgb {
  const lightness = Math.min(1, Math.max(0, l))
  let inside = inGamut(linear(lightness, c, h)) ? c : 0
  let outside = c
  for (let step = 0; step < 20 && inside < outside; step++) {
    const middle = (inside + outside) / 2
    if (inGamut(linear(lightness, middle, h))) inside = middle
    else outside = middle
  }
  const [red, green, blue] = linear(lightness, inside, h)
  return { r: 255 * srgbOf(red), g: 255 * srgbOf(green), b: 255 * srgbOf(blue) }
}

type Linear = readonly [red: number, green: number, blue: number]

function linear(l: number, c: number, h: number): Linear {
  const x = c * Math.cos((h * Math.PI) / 180)
  const y = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * x + 0.2158037573 * y) ** 3
  const medium = (l - 0.1055613458 * x - 0.0638541728 * y) ** 3
  const short = (l - 0.0894841775 * x - 1.291485548 * y) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function inGamut(color: Linear): boolean {
  const tolerance = 1e-4
  return color.every((value) => value >= -tolerance && value <= 1 + tolerance)
}

function decode(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** A linear share of light, 0 to 1, as sRGB; what is outside is moved to the nearer end. */
export function srgbOf(value: number): number {
  const bounded = Math.min(1, Math.max(0, value))
  return bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055
}

function channel(value: number): number {
  return Math.round(Math.min(255, Math.max(0, value)))
}

interface CssColor {
  readonly rgb: Rgb
  readonly alpha: number
}

/** A CSS colour in sRGB: hex digits behind `#`, a name, `rgb()`, `hsl()` or `hwb()` in either syntax, in any case. */
function readCssColor(text: string): CssColor | undefined {
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

export function parseCssColor(text: string): Rgb | undefined {
  const color = text.trim().toLowerCase() === 'transparent' ? undefined : readCssColor(text)
  return color?.rgb
}

/** `#rrggbb` of an opaque colour as people write it: by CSS, or its hex digits without `#`, which a URL would escape. */
export function opaqueColor(text: string): string | undefined {
  const color = writtenColor(text)
  return color?.alpha === 1 ? toHex(color.rgb) : undefined
}

export function isTranslucentColor(text: string): boolean {
  return (writtenColor(text)?.alpha ?? 1) < 1
}

/** A colour as CSS writes it, or its hex digits without `#`. */
export function writtenColor(text: string): CssColor | undefined {
  return readCssColor(text) ?? readCssColor(`#${text.trim()}`)
}

const hex = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/

function readHex(text: string): CssColor | undefined {
  const isShort = text.length < 6
  const rgb = parseHex(text.slice(0, isShort ? 4 : 7))
  const digits = isShort ? text.slice(4).repeat(2) : text.slice(7)
  return rgb && { rgb, alpha: digits === '' ? 1 : Number.parseInt(digits, 16) / 255 }
}

function withAlpha(rgb: Rgb, alpha: number): CssColor | undefined {
  return Number.isNaN(alpha) ? undefined : { rgb, alpha: Math.min(1, Math.max(0, alpha)) }
}

/** Browsers take a colour of any colour space and with any alpha. */
export function isCssColor(text: string): boolean {
  return readCssColor(text) !== undefined || otherSpace.test(text.trim())
}

const otherSpace = /^(?:(?:oklch|oklab|lch|lab|color|color-mix|light-dark)\([-\w\s.,%/#()]{1,120}\))$/i

const functions: Readonly<Record<string, (channels: readonly [string, string, string]) => Rgb | undefined>> =
  {
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

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  function channel(offset: number): number {
    const turn = (((offset + hue / 30) % 12) + 12) % 12
    const amplitude = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return { r: channel(0), g: channel(8), b: channel(4) }
}

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

/** `#rrggbb` of the named colours of CSS Color 4. */
export const cssColorNames: ReadonlyMap<string, string> = new Map(Object.entries(cssColors))

const charcoal = { r: 26, g: 26, b: 26 }
const textContrastMin = 4.5

/** A text colour with a contrast of at least 4.5 on this background: white if possible, else the softest dark. */
export function textColorOn(background: Rgb): '#ffffff' | '#1a1a1a' | '#000000' {
  if (contrastRatio(white, background) >= textContrastMin) return '#ffffff'
  return contrastRatio(charcoal, background) >= textContrastMin ? '#1a1a1a' : '#000000'
}

export function hexContrast(one: string, other: string): number {
  const [a, b] = [parseHex(one), parseHex(other)]
  return a && b ? contrastRatio(a, b) : 1
}
