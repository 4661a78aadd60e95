import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const vectorsPath = join(import.meta.dir, 'signing.json')

export const vectors: readonly Vector[] = JSON.parse(readFileSync(vectorsPath, 'utf8')).vectors

export type Vector = CallVector | EmbedVector

interface AnyVector {
  readonly name: string
  readonly secret: string
  readonly method: string
  readonly path: string
  /** The text that is signed. */
  readonly payload: string
  readonly sig: string
}

interface CallVector extends AnyVector {
  readonly t: number
}

export interface EmbedVector extends AnyVector {
  /** In the order in which a caller may have them. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly url: string
}

export function isEmbed(vector: Vector): vector is EmbedVector {
  return 'parameters' in vector
}
