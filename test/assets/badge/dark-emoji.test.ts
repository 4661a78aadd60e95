import { expect, test } from 'bun:test'
import { type BadgeStyle, badgeStyles } from '../../../src/assets/badge/badge.ts'
import { createBadgeRenderer } from '../../../src/assets/badge/badge-renderer.ts'
import { emojiBody } from '../../../src/text/emoji-body.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'

/** Styles with dark letters on a pale background, whatever the colour. */
const paleStyles: readonly BadgeStyle[] = ['social', 'soft']

test('pictures of nothing but dark colours are light beside light letters of a PNG badge, and as they are beside dark ones', async () => {
  const badges = createBadgeRenderer(createTextEngine())
  const [dark, light] = [
    colorsOf(emojiBody('black-heart').body),
    colorsOf(emojiBody('black-heart-on-dark').body),
  ]
  expect(dark).not.toEqual(light)
  for (const style of badgeStyles)
    for (const color of ['#1a1a2e', '#ffe082']) {
      const badge = {
        style,
        label: '🖤',
        message: '🖤',
        color,
        labelColor: color,
        links: [],
        idSuffix: '',
        scale: 1,
      }
      const isPale = paleStyles.includes(style) || color === '#ffe082'
      const svg = await badges.outlines(badge)
      for (const fill of isPale ? dark : light) expect(svg, `${style} ${color}`).toContain(fill)
      for (const fill of isPale ? light : dark) expect(svg, `${style} ${color}`).not.toContain(fill)
    }
})

function colorsOf(body: string): readonly string[] {
  return [...body.matchAll(/fill="#[\da-f]+"/gi)].map(([fill]) => fill)
}
