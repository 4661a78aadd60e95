/** Filled shapes of one colour each, in a view box that begins at (0, 0). */
export interface Shapes {
  readonly width: number
  readonly height: number
  readonly shapes: readonly FilledShape[]
}

export interface FilledShape {
  /** Absolute path data. Non-zero winding. */
  readonly d: string
  readonly fill: string
  readonly opacity?: number
}

export function writeShapesSvg({ width, height, shapes }: Shapes): string {
  const paths = shapes.map(({ d, fill, opacity }) => {
    const faint = opacity === undefined ? '' : ` fill-opacity="${opacity}"`
    return `<path fill="${fill}"${faint} d="${d}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${paths.join('')}</svg>`
}

/** The shapes of an SVG that `writeShapesSvg` wrote; undefined for any other. Reading it as any SVG would round once more. */
export function readShapesSvg(text: string): Shapes | undefined {
  const [, width, height] = /^<svg [^>]*viewBox="0 0 (\d{1,4}) (\d{1,4})">/.exec(text) ?? []
  const shapes = [...text.matchAll(path)].map(([, fill = '', opacity, d = '']) => ({
    d,
    fill,
    ...(opacity === undefined ? {} : { opacity: Number(opacity) }),
  }))
  const pathLength = shapes.reduce((sum, { d }) => sum + d.length, 0)
  if (shapes.length === 0 || shapes.length > shapesMax || pathLength > pathLengthMax) return undefined
  if (shapes.some(({ d }) => !d.startsWith('M'))) return undefined
  const read = { width: Number(width), height: Number(height), shapes }
  return writeShapesSvg(read) === text ? read : undefined
}

/** Lines and curves between points of at most one decimal, as `readShapes` writes them. */
const path =
  /<path fill="(#[0-9a-f]{6})"(?: fill-opacity="(0\.\d{1,3})")? d="((?:[ML]-?\d{1,4}(?:\.\d)? -?\d{1,4}(?:\.\d)?|C-?\d{1,4}(?:\.\d)? -?\d{1,4}(?:\.\d)?(?: -?\d{1,4}(?:\.\d)?){4}|Z)+)"\/>/g
const shapesMax = 4_000
const pathLengthMax = 100_000
