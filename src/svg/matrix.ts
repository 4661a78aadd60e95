import { readNumbers } from './read-numbers.ts'

/** An affine map as SVG writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

const names = new Set(['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY'])

/** The attribute `transform`; undefined when it cannot be read. */
export function readTransform(text: string): Matrix | undefined {
  const calls = text.split(')')
  if (calls.pop()?.trim() !== '') return undefined
  let result = identity
  for (const call of calls) {
    const [before = '', inside, ...more] = call.split('(')
    const name = before.trim().replace(/^,/, '').trim()
    if (inside === undefined || more.length > 0 || !names.has(name)) return undefined
    const values = readNumbers(inside)
    const step = values && matrixOf(name, values)
    if (step === undefined) return undefined
    result = multiply(result, step)
  }
  return result
}

function matrixOf(name: string, values: readonly number[]): Matrix | undefined {
  const [first = 0, second, third, ...more] = values
  const count = values.length
  if (name === 'matrix') {
    if (count !== 6) return undefined
    const [d = 0, e = 0, f = 0] = more
    return [first, second ?? 0, third ?? 0, d, e, f]
  }
  if (name === 'translate') return count < 3 ? [1, 0, 0, 1, first, second ?? 0] : undefined
  if (name === 'scale') return count < 3 ? [first, 0, 0, second ?? first, 0, 0] : undefined
  const angle = (first * Math.PI) / 180
  if (name === 'rotate') {
    if (count !== 1 && count !== 3) return undefined
    const [x, y] = [second ?? 0, third ?? 0]
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]
  }
  if (count !== 1) return undefined
  return name === 'skewX' ? [1, 0, Math.tan(angle), 1, 0, 0] : [1, Math.tan(angle), 0, 1, 0, 0]
}
