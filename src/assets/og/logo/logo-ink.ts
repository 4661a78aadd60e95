import { Bounds, type Box } from '../../../svg/box.ts'
import { pathBounds } from '../../../svg/path-bounds.ts'
import type { CardLogo } from '../brand/card-logo.ts'

const cache = new WeakMap<CardLogo, Box>()

/** The box around what a logo shows, in its own units: blank room around a mark would put it off its place. */
export function logoInk(logo: CardLogo): Box {
  const box = cache.get(logo) ?? measured(logo)
  cache.set(logo, box)
  return box
}

function measured(logo: CardLogo): Box {
  if (logo.kind === 'pixels') return { left: 0, top: 0, right: logo.widthPx, bottom: logo.heightPx }
  const ink = new Bounds()
  for (const { d } of logo.shapes) {
    const box = pathBounds(d)
    if (box.left <= box.right) ink.addBox(box)
  }
  const isBlank = !(ink.right > ink.left && ink.bottom > ink.top)
  return isBlank ? { left: 0, top: 0, right: logo.width, bottom: logo.height } : ink
}
