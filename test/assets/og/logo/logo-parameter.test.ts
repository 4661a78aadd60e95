import { describe, expect, test } from 'bun:test'
import { logoRule as createLogoRule } from '../../../../src/assets/logo-rule.ts'
import { iconLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import { sizeNames } from '../../../../src/assets/og/card-sizes.ts'
import { logoDataMistake } from '../../../../src/assets/og/logo/own-logo.ts'
import { placeLogo } from '../../../../src/assets/og/logo/place-logo.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { white } from '../../../../src/lib/color.ts'
import { cards } from '../corpus.ts'

const logoRule = createLogoRule(logoDataMistake)

describe('the parameter logo', () => {
  test('takes icons by slug and by name', () => {
    expect(logoRule({ logo: 'github' })).toBeUndefined()
    expect(logoRule({ logo: 'Node.js' })).toBeUndefined()
    expect(logoRule({})).toBeUndefined()
  })

  test('names an icon of a similar name where there is none of this name', () => {
    expect(logoRule({ logo: 'githubb' })).toEqual({
      parameter: 'logo',
      message: 'is not the name of an icon; did you mean github?',
    })
    expect(logoRule({ logo: 'x'.repeat(100) })?.message).toContain('simpleicons.org')
  })

  test('puts the icon on cards of every theme and size, and mirrors its place and not its shape', async () => {
    for (const theme of themeNames) {
      for (const size of sizeNames) {
        const ltr = { theme, size, logo: 'github', title: 'Design tokens' }
        const rtl = { ...ltr, title: 'كيف خفضنا' }
        const { logo, scene } = await cards.composed({ params: ltr })
        const mirrored = (await cards.composed({ params: rtl })).logo
        const { x = 0, width = 0 } = logo?.area ?? {}
        expect(width).toBeGreaterThan(24)
        expect(mirrored?.area.x).toBeCloseTo(scene.widthPx - x - width, 3)
        const [mark, other] = [logo?.layers.at(-1), mirrored?.layers.at(-1)]
        expect(mark?.kind === 'path' && other?.kind === 'path' && mark.d === other.d).toBe(true)
      }
    }
  })

  test('leaves the background of a card as it is: it is drawn once for all logos', async () => {
    const params = { theme: 'aurora', title: 'Hello' } as const
    const background = (await cards.composed({ params: { ...params, logo: 'bun' } })).scene.background
    expect((await cards.composed({ params: { ...params, logo: 'github' } })).scene.background).toBe(
      background,
    )
  })
})

describe('a logo in its place', () => {
  const place = {
    area: { x: 0, y: 0, width: 1000, height: 1000 },
    sidePx: 100,
    align: 'start',
    backgrounds: [white],
    ink: { r: 0, g: 0, b: 0 },
  } as const

  function sizeOf(width: number, height: number) {
    const shapes = [{ d: `M0 0h${width}v${height}h${-width}z`, fill: '#000000' }]
    const logo = { kind: 'shapes', key: 'box', width, height, shapes, singleColor: '#000000' } as const
    return placeLogo(logo, place, (x) => x).area
  }

  test('has about the same area whatever its proportions', () => {
    for (const [width, height] of [
      [10, 10],
      [40, 10],
      [10, 30],
      [80, 10],
    ] as const) {
      const { width: widthPx, height: heightPx } = sizeOf(width, height)
      expect(widthPx / heightPx).toBeCloseTo(width / height, 3)
      expect(widthPx * heightPx).toBeGreaterThan(9_000)
      expect(widthPx * heightPx).toBeLessThan(14_000)
    }
  })

  test('keeps its own colour where that is readable, else takes the ink', () => {
    const yellow = iconLogo('snapchat')
    const black = iconLogo('github')
    if (!yellow || !black) throw new Error('icons are missing')
    const [onWhite, own] = [yellow, black].map((logo) => placeLogo(logo, place, (x) => x).layers[0])
    expect(onWhite).toMatchObject({ fill: '#000000' })
    expect(own).toMatchObject({ fill: '#181717' })
  })
})
