import { Buffer } from 'node:buffer'
import { shortNumber } from '../svg/short-number.ts'
import type { Background } from './scene.ts'

/** The background's elements: gradients, the picture, the shapes over it. */
export function backgroundSvg({ defs, body, picture }: Omit<Background, 'key'>): string {
  const head = defs === '' ? '' : `<defs>${defs}</defs>`
  if (picture === undefined) return head + body
  const { jpeg, x, y, widthPx, heightPx } = picture
  const box = `x="${shortNumber(x)}" y="${shortNumber(y)}" width="${shortNumber(widthPx)}" height="${shortNumber(heightPx)}"`
  const href = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`
  return `${head}<image ${box} preserveAspectRatio="none" href="${href}"/>${body}`
}
