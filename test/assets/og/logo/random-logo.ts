import { type CardLogo, iconLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import { circle, rectangle, ring, roundedRectangle } from '../../../../src/assets/og/shapes.ts'
import type { randomFrom } from '../../../support/random.ts'

type Part = readonly [d: string, fill: string, opacity?: number]

function logo(key: string, width: number, height: number, parts: readonly Part[]): CardLogo {
  const [first] = parts
  const isOneColor = parts.every(([, fill]) => fill === first?.[1])
  return {
    kind: 'shapes',
    key,
    width,
    height,
    shapes: parts.map(([d, fill, opacity]) => ({ d, fill, ...(opacity !== undefined && { opacity }) })),
    ...(isOneColor && first && { singleColor: first[1] }),
  }
}

/** Logos of every kind of shape in colours of no theme, and some icons. */
export function randomLogo(random: ReturnType<typeof randomFrom>): CardLogo {
  const colors = Array.from({ length: 3 }, () => `#${random.below(0x1000000).toString(16).padStart(6, '0')}`)
  const [one = '#000000', two = one, three = two] = colors
  const key = colors.join('')
  switch (random.below(7)) {
    case 0:
      return logo(key, 900, 90, [
        [ring(45, 45, 34, 22), one],
        [rectangle(120, 0, 780, 90), one],
      ])
    case 1:
      return logo(key, 600, 120, [
        [circle(60, 60, 60), one],
        [roundedRectangle(150, 0, 450, 120, 20), two],
      ])
    case 2:
      return logo(key, 40, 400, [['M20 0L40 400H0z', one]])
    case 3:
      return logo(key, 80, 200, [
        ['M40 0L80 70H0z', one],
        ['M40 50L80 130H0z', two],
        [rectangle(30, 130, 20, 70), three],
      ])
    case 4:
      return logo(key, 100, 100, [
        [circle(50, 50, 50), one],
        [circle(50, 50, 30), two, 0.7],
      ])
    case 5:
      return logo(key, 100, 100, [[circle(50, 50, 50), one, 0.25]])
    default:
      return (
        iconLogo(random.pick(['github', 'bun', 'instagram', 'netflix', 'snapchat', 'ubuntu'])) ??
        logo(key, 1, 1, [])
      )
  }
}
