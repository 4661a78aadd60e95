import { Buffer } from 'node:buffer'
import { shortHex } from '../../lib/color.ts'
import { memo } from '../../lib/memo.ts'
import {
  backgroundPieces,
  idPrefix,
  type PathLayer,
  type PictureLayer,
  type Scene,
} from '../../raster/scene.ts'
import { escapeXml, shortFactor, shortNumber } from '../../svg/svg-values.ts'
import type { PlacedEmoji } from '../../text/block-path.ts'
import { emojiBody } from '../../text/emoji.ts'
import { rectangle, roundedRectangle } from './shapes.ts'

export interface Description {
  readonly title: string
  /** Eyebrow, subtitle, author and domain; empty when there are none. */
  readonly desc: string
}

/** Pictures are the only part of a card whose size the text does not bound: past this, plain tiles stand in. */
const emojiCharactersMax = 160_000

/** The scene as a document that needs nothing from outside, in pieces for `piecesBody`: only the first has letters beyond Latin-1. */
export function sceneToSvg(scene: Scene, { title, desc }: Description): readonly string[] {
  const { widthPx, heightPx, background } = scene
  const labels = desc === '' ? `${idPrefix}t` : `${idPrefix}t ${idPrefix}d`
  const drawEmoji = emojiWriter()
  let head = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-labelledby="${labels}"><title id="${idPrefix}t">${escapeXml(title)}</title>`
  if (desc !== '') head += `<desc id="${idPrefix}d">${escapeXml(desc)}</desc>`
  let layers = ''
  for (const layer of scene.layers) {
    if (layer.kind === 'path') layers += drawPath(layer)
    else layers += layer.kind === 'emoji' ? drawEmoji(layer) : drawPicture(layer)
  }
  return [head, ...backgroundPieces(background), `${layers}</svg>`]
}

function drawPath({ d, x, y, scale, fill, foot, opacity }: PathLayer): string {
  const opacityText = opacity === undefined ? '' : ` opacity="${shortNumber(opacity)}"`
  const place = `${opacityText} transform="${placed(x, y, scale)}" d="${d}"/>`
  if (foot === undefined) return `<path fill="${shortFill(fill)}"${place}`
  const stops = `<stop stop-color="${shortFill(fill)}"/><stop offset="1" stop-color="${shortFill(foot)}"/>`
  return `<linearGradient id="${inkId}" x2="0" y2="1">${stops}</linearGradient><path fill="url(#${inkId})"${place}`
}

/** No card has more than one. */
const inkId = `${idPrefix}i`

function drawPicture({ png, x, y, widthPx, heightPx }: PictureLayer): string {
  const box = `x="${shortNumber(x)}" y="${shortNumber(y)}" width="${shortNumber(widthPx)}" height="${shortNumber(heightPx)}"`
  return `<image ${box} preserveAspectRatio="none" href="data:image/png;base64,${Buffer.from(png).toString('base64')}"/>`
}

/** Writes each picture once; later ones refer to it. */
function emojiWriter(): (layer: PlacedEmoji) => string {
  const ids = new Map<string, string>()
  let characters = 0
  return ({ name, x, y, sidePx }) => {
    const firstId = ids.get(name)
    const id = firstId ?? `${idPrefix}e${ids.size}`
    const { body, viewBoxPx } = emojiBody(name, `${id}-`)
    const place = placed(x, y, sidePx / viewBoxPx)
    if (firstId !== undefined) return `<use href="#${id}" transform="${place}"/>`
    ids.set(name, id)
    characters += body.length
    const picture = characters > emojiCharactersMax ? plainTile(viewBoxPx) : body
    return `<g transform="${place}"><g id="${id}">${picture}</g></g>`
  }
}

function plainTile(sidePx: number): string {
  const inset = sidePx - 4
  const hole = rectangle(4, 4, sidePx - 8, sidePx - 8)
  return `<path fill="#8a8f98" fill-rule="evenodd" d="${roundedRectangle(2, 2, inset, inset, 4)}${hole}"/>`
}

function placed(x: number, y: number, scale: number): string {
  const move = `translate(${shortPlace(x)} ${shortPlace(y)})`
  return scale === 1 ? move : `${move}scale(${shortScale(scale)})`
}

/** Most things stand where something stood on another card. */
const shortPlace = memo((place: number) => shortNumber(place))

const shortScale = memo(shortFactor)

const shortFill = memo(shortHex)
