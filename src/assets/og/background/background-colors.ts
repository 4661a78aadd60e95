import { getDomain } from 'tldts'
import { contrastRatio, fromOklch, mix, parseHex, type Rgb, toOklch, white } from '../../../lib/color.ts'
import { memo } from '../../../lib/memo.ts'
import type { BrandPicture } from '../brand/brand-images.ts'
import type { BrandBackground, CardTexts, PictureLayout, Scheme } from '../theme.ts'

export type BackgroundColors = ReturnType<typeof backgroundColors>

/** The colour as a background, as light as the title's contrast needs. In the other scheme only its hue is kept. */
export function backgroundColors(color: Rgb, scheme: Scheme | undefined, titleContrastMin = 7.2) {
  const { l, c, h } = toOklch(color)
  const own = contrastRatio(black, color) > contrastRatio(white, color) ? 'light' : 'dark'
  const isLight = (scheme ?? own) === 'light'
  const other = isLight ? { l: 0.95, c: c * 0.3 } : { l: 0.2, c: c * 0.6 }
  const start = (scheme ?? own) === own ? { l, c } : other
  const ink = isLight ? fromOklch({ l: 0.17, c: Math.min(c, 0.03), h }) : fromOklch({ l: 0.99, c: 0.004, h })
  const step = isLight ? 0.01 : -0.01
  let background = start.l === l ? color : fromOklch({ ...start, h })
  let lightness = start.l
  while (contrastRatio(background, ink) < titleContrastMin && lightness > 0 && lightness < 1) {
    lightness += step
    background = fromOklch({ l: lightness, c: start.c, h })
  }
  const ownScheme: Scheme = isLight ? 'light' : 'dark'
  return { background, ink, paleInk: paleInkOn(background, ink), scheme: ownScheme }
}

const black: Rgb = { r: 0, g: 0, b: 0 }

/** The palest readable text colour: the ink, mixed with as much of the background as its contrast allows. */
export function paleInkOn(background: Rgb, ink: Rgb): Rgb {
  for (let share = 0.24; share > 0; share -= 0.04) {
    const pale = mix(ink, background, share)
    if (contrastRatio(pale, background) >= 5) return pale
  }
  return ink
}

/** @param brand with colours in hex without `#` */
export function backgroundOf(brand: {
  readonly ground?: string
  readonly ground2?: string
  readonly picture?: BrandPicture
  readonly pictureLayout?: PictureLayout
}): BrandBackground | undefined {
  const { ground = '', ground2 = '', picture, pictureLayout: layout } = brand
  if (ground === '' && ground2 === '' && picture === undefined) return undefined
  const [color, second] = [parseHex(ground), parseHex(ground2)]
  const pictureKey = picture ? `${picture.key} ${picture.focus.x},${picture.focus.y} ${layout ?? ''}` : ''
  return {
    key: `${ground}/${ground2}/${pictureKey}`,
    ...(color && { color }),
    ...(second && { second }),
    ...(picture && { picture, ...(layout && { layout }) }),
  }
}

/** Chooses the colour of a site's cards: by the registrable domain, so that subdomains look alike, else author or title. */
export function colorSource(texts: Pick<CardTexts, 'domain' | 'author' | 'title'>): string {
  const { domain, author, title } = texts
  return domain === undefined ? (author ?? title) : siteOfDomain(domain)
}

const siteOfDomain = memo((domain: string) => getDomain(domain, { allowPrivateDomains: true }) ?? domain)
