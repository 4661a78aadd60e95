import { createHash } from 'node:crypto'
import type { CardLogo } from '../assets/og/brand/card-logo.ts'

type ShapesLogo = Extract<CardLogo, { kind: 'shapes' }>

/** A logo of shapes as an SVG in one form. */
export function writeLogoSvg({
  width,
  height,
  shapes,
}: Pick<ShapesLogo, 'width' | 'height' | 'shapes'>): string {
  const paths = shapes.map(({ d, fill, opacity }) => {
    const faint = opacity === undefined ? '' : ` fill-opacity="${opacity}"`
    return `<path fill="${fill}"${faint} d="${d}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${paths.join('')}</svg>`
}

/**
 * The logo of an SVG that `writeLogoSvg` wrote, to the letter; undefined for every other file, which has to be made safe
 * first. Reading it as any SVG would round its numbers once more.
 */
export function readOwnLogoSvg(text: string): ShapesLogo | undefined {
  const [, width, height] = /^<svg [^>]*viewBox="0 0 (\d{1,4}) (\d{1,4})">/.exec(text) ?? []
  const shapes = [...text.matchAll(path)].map(([, fill = '', opacity, d = '']) => ({
    d,
    fill,
    ...(opacity === undefined ? {} : { opacity: Number(opacity) }),
  }))
  const [first] = shapes
  const pathLength = shapes.reduce((sum, { d }) => sum + d.length, 0)
  if (first === undefined || shapes.length > shapesMax || pathLength > pathLengthMax) return undefined
  if (shapes.some(({ d }) => !d.startsWith('M'))) return undefined
  const size = { width: Number(width), height: Number(height) }
  if (writeLogoSvg({ ...size, shapes }) !== text) return undefined
  const key = createHash('sha256')
    .update(JSON.stringify([size, shapes]))
    .digest('hex')
  const isSingle = shapes.every(({ fill }) => fill === first.fill)
  return { kind: 'shapes', key, ...size, shapes, ...(isSingle && { singleColor: first.fill }) }
}

/** Lines and curves between points of at most one decimal, as the reader of logos writes them. */
const path =
  /<path fill="(#[0-9a-f]{6})"(?: fill-opacity="(0\.\d{1,3})")? d="((?:[ML]-?\d{1,4}(?:\.\d)? -?\d{1,4}(?:\.\d)?|C-?\d{1,4}(?:\.\d)? -?\d{1,4}(?:\.\d)?(?: -?\d{1,4}(?:\.\d)?){4}|Z)+)"\/>/g
const shapesMax = 4_000
const pathLengthMax = 100_000
