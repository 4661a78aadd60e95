import { describe, expect, test } from 'bun:test'
import { Resvg } from '@resvg/resvg-js'
import { accentColors } from '../../../src/assets/og/accent.ts'
import type { PlacedText } from '../../../src/assets/og/canvas.ts'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { sceneToSvg } from '../../../src/assets/og/scene-to-svg.ts'
import { schemes, sizeNames } from '../../../src/assets/og/theme.ts'
import { type ThemeName, themeNames } from '../../../src/assets/og/themes.ts'
import { contrastRatio, type Rgb } from '../../../src/lib/color.ts'
import { randomFrom } from '../../support/random.ts'
import { sampleSize } from '../../support/test-size.ts'
import { inkOf } from './card-faults.ts'
import words from './contrast-words.json' with { type: 'json' }
import { cards, inkBoxes } from './corpus.ts'
import { extremeColors } from './random-text.ts'

const scale = 0.25
const accentsPerTheme = sampleSize(600, 14)

/** The card without its words, as pixels at a quarter of its size. */
async function pixelsUnder(
  params: CardParams,
): Promise<{ readonly at: (x: number, y: number) => Rgb; readonly texts: readonly PlacedText[] }> {
  const { scene, texts } = await cards.composed({ params })
  const layers = scene.layers.filter((layer) => layer.kind === 'path' && layer.scale === 1)
  const svg = sceneToSvg({ ...scene, layers }, { title: 'under', desc: '' }).join('')
  const { pixels, width } = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: { loadSystemFonts: false },
  }).render()
  function at(x: number, y: number) {
    const index = (y * width + x) * 4
    return { r: pixels[index] ?? 0, g: pixels[index + 1] ?? 0, b: pixels[index + 2] ?? 0 }
  }
  return { at, texts }
}

async function leastContrasts(params: CardParams): Promise<Map<string, number>> {
  const { at, texts } = await pixelsUnder(params)
  const least = new Map<string, number>()
  for (const text of texts) {
    const ink = inkOf(text)
    for (const { left, top, right, bottom } of inkBoxes(text)) {
      for (let y = Math.ceil(top * scale); y < Math.floor(bottom * scale); y++) {
        for (let x = Math.ceil(left * scale); x < Math.floor(right * scale); x += 2) {
          const contrast = contrastRatio(ink(y / scale), at(x, y))
          least.set(text.role, Math.min(contrast, least.get(text.role) ?? 21))
        }
      }
    }
  }
  return least
}

async function faultsOf(theme: ThemeName): Promise<string[]> {
  const random = randomFrom(themeNames.indexOf(theme) + 1)
  const faults: string[] = []
  for (let index = 0; index < accentsPerTheme; index++) {
    const accent = extremeColors[index] ?? `#${random.below(0x1000000).toString(16).padStart(6, '0')}`
    const params = { theme, accent, ...words[index % 2 === 0 ? 'ltr' : 'rtl'] }
    for (const [role, contrast] of await leastContrasts(params)) {
      const wanted = role === 'title' ? 7 : 4.5
      if (contrast < wanted) faults.push(`${accent} ${role} ${contrast.toFixed(2)}`)
    }
  }
  return faults
}

describe('every text stands out from the pixels under it, whatever the accent', () => {
  for (const theme of themeNames) {
    test(`in ${theme}: 4.5 everywhere, 7 for the title`, async () => {
      expect(await faultsOf(theme)).toEqual([])
    })
  }

  test('in the ink of a centred aurora, which passes into its accent, also on marks of code', async () => {
    const faults: string[] = []
    const feet = new Set<string | undefined>()
    for (const [index, accent] of [...extremeColors, ...accentColors.values()].entries())
      for (const scheme of schemes)
        for (const title of ['Set `og:image` once, then never `again`', words.ltr.title, words.rtl.title]) {
          const size = sizeNames[index % sizeNames.length] ?? 'og'
          const params = { theme: 'aurora', align: 'center', title, accent, scheme, size } as const
          const least = (await leastContrasts(params)).get('title') ?? 0
          if (least < 7) faults.push(`${accent} ${scheme} ${size} ${title} ${least.toFixed(2)}`)
          const { texts } = await cards.composed({ params })
          feet.add(texts[0]?.foot)
        }
    expect(faults).toEqual([])
    expect(feet.has(undefined)).toBe(false)
    expect(feet.size).toBeGreaterThan(60)
  })

  test('the measurement sees every text of a full card', async () => {
    const params = { theme: 'aurora', ...words.ltr } as const
    const expected = ['author', 'domain', 'initials', 'subtitle', 'title']
    expect([...(await leastContrasts(params)).keys()].sort()).toEqual(expected)
  })
})
