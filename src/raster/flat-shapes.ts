import type { Background } from './scene.ts'

/** Path data in one opaque colour, `#rrggbb`. */
export interface FlatShape {
  readonly fill: string
  readonly d: string
}

const flatShape = /<path fill="(#[0-9a-f]{6})" d="([^"]*)"\/>/y

/**
 * The shapes of a background that has nothing but paths in opaque colours; undefined when it takes more to draw it. Without
 * those at its beginning that have its own colour.
 */
export function flatShapes({ color, defs, body }: Background): readonly FlatShape[] | undefined {
  if (defs !== '') return undefined
  const shapes: FlatShape[] = []
  let read = 0
  while (read < body.length) {
    flatShape.lastIndex = read
    const [, fill, d] = flatShape.exec(body) ?? []
    if (fill === undefined || d === undefined) return undefined
    if (shapes.length > 0 || fill !== color) shapes.push({ fill, d })
    read = flatShape.lastIndex
  }
  return shapes
}
