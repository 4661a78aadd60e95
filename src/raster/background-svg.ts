import { Buffer } from 'node:buffer'
import { shortNumber } from '../svg/svg-values.ts'
import type { Background } from './scene.ts'

type DrawnBackground = Pick<Background, 'defs' | 'body' | 'picture'>

/** The background's elements: gradients, the picture, the shapes over it. */
export function backgroundSvg(background: DrawnBackground): string {
  return backgroundPieces(background).join('')
}

/** The background in pieces, one of which is the whole picture in base64: it is longer than all the others. */
export function backgroundPieces({ defs, body, picture }: DrawnBackground): readonly string[] {
  const head = defs === '' ? '' : `<defs>${defs}</defs>`
  if (picture === undefined) return [head, body]
  const { jpeg, x, y, widthPx, heightPx } = picture
  const box = `x="${shortNumber(x)}" y="${shortNumber(y)}" width="${shortNumber(widthPx)}" height="${shortNumber(heightPx)}"`
  const start = `${head}<image ${box} preserveAspectRatio="none" href="data:image/jpeg;base64,`
  return [start, Buffer.from(jpeg).toString('base64'), `"/>${body}`]
}
