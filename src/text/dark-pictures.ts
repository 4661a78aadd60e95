import { fromOklch, parseHex, relativeLuminance, toHex, toOklch } from '../lib/color.ts'

const onDark = '-on-dark'
const colors = /#[\da-f]{6}\b|#[\da-f]{3}\b/gi
/** The relative luminance below which a colour has no contrast of 2 on our dark backgrounds. */
const darkMax = 0.058
/** The relative luminance from which on letters are there for a dark background. */
const lightMin = 0.18
/** In OKLCH. */
const lightness = 0.82

/** The name of a picture without the mark of its light form. */
export function plainName(name: string): string {
  return name.endsWith(onDark) ? name.slice(0, -onDark.length) : name
}

/** The name of the form that shows beside letters of this colour: pictures of nothing but dark colours have a light one. */
export function nameBeside(name: string, body: string, letters: string): string {
  return luminanceOf(letters) >= lightMin && isDark(body) ? name + onDark : name
}

/** The picture in the form that its name asks for. */
export function inForm(name: string, body: string): string {
  if (!name.endsWith(onDark)) return body
  return body.replace(colors, (color) => {
    const parsed = parseHex(color)
    return parsed === undefined ? color : toHex(fromOklch({ ...toOklch(parsed), l: lightness }))
  })
}

function isDark(body: string): boolean {
  return (body.match(colors) ?? ['#ffffff']).every((color) => luminanceOf(color) < darkMax)
}

function luminanceOf(color: string): number {
  return relativeLuminance(parseHex(color) ?? { r: 0, g: 0, b: 0 })
}
