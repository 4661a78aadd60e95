import { expect, test } from 'bun:test'
import { type Badge, badgeStyles } from '../../../src/assets/badge/badge.ts'
import { palette } from '../../../src/assets/badge/color-names.ts'
import { badgeOf } from '../../../src/assets/badge/query.ts'
import { renderBadge } from '../../../src/assets/badge/render-badge.ts'
import { findIcon } from '../../../src/assets/icons.ts'
import { hexContrast, parseHex, toOklch } from '../../../src/lib/color.ts'
import { randomFrom } from '../../support/random.ts'
import { sampleOf } from '../../support/test-size.ts'
import { visibleTexts } from '../../support/visible-texts.ts'
import { parseXml, walk } from '../../support/xml-tree.ts'
import { plainBadge } from './plain-badge.ts'

const base: Badge = { ...plainBadge, label: 'l', message: 'm' }

function everyTextReads(badge: Badge): void {
  for (const { fill, background } of visibleTexts(parseXml(renderBadge(badge)))) {
    expect(hexContrast(fill, background), `${fill} on ${background}`).toBeGreaterThanOrEqual(4.5)
  }
}

test('text reads on each of the 4,096 short hex colours, left and right', () => {
  for (let value = 0; value < 4096; value++) {
    const color = `#${value.toString(16).padStart(3, '0').replace(/./g, '$&$&')}`
    everyTextReads({ ...base, style: 'flat-square', color, labelColor: color })
  }
})

test('text reads on 10,000 random colours in every style', () => {
  const random = randomFrom(1)
  function color() {
    return `#${random
      .below(2 ** 24)
      .toString(16)
      .padStart(6, '0')}`
  }
  for (let count = 0; count < 10_000; count++) {
    everyTextReads({ ...base, style: random.pick(badgeStyles), color: color(), labelColor: color() })
  }
})

test('white reads on the whole palette but yellow', () => {
  for (const [name, color] of Object.entries(palette)) {
    expect(hexContrast(color, '#ffffff') >= 4.5).toBe(name !== 'yellow')
  }
})

/** Marks that badges on the web often have. */
const popularLogos =
  'github githubactions gitlab npm yarn pnpm bun deno nodedotjs typescript javascript react vuedotjs svelte angular nextdotjs astro vite webpack rollupdotjs python pypi rust go ruby php swift kotlin dotnet docker kubernetes linux ubuntu debian archlinux android apple discord slack telegram mastodon x youtube vercel netlify cloudflare codecov sonarcloud jest eslint prettier'

const query = { label: 'l', value: 'm', scale: 1, format: 'svg', cacheSeconds: 1 } as const

function fillOf(badge: Badge): string {
  const [icon] = [...walk(parseXml(renderBadge(badge)))].filter(({ name }) => name === 'svg').slice(1)
  return icon?.attributes['fill'] ?? ''
}

test('every popular logo has a contrast of at least 3 with its background, in every style and colour', () => {
  const faults: string[] = []
  const logos = popularLogos.split(' ').filter((name) => findIcon(name) !== undefined)
  for (const logo of sampleOf(logos, 5))
    for (const style of badgeStyles)
      for (const labelColor of [undefined, ...Object.values(palette)]) {
        const badge = badgeOf({ ...query, style, logo, ...(labelColor && { labelColor }) })
        const { background = '' } = visibleTexts(parseXml(renderBadge(badge)))[0] ?? {}
        const contrast = hexContrast(fillOf(badge), style === 'social' ? '#fcfcfc' : background)
        if (contrast < 2.95) faults.push(`${logo} ${style} ${labelColor} ${contrast.toFixed(2)}`)
      }
  expect(faults).toEqual([])
})

test('a logo that has no hue is drawn in the colour of text, and one with a hue keeps it', () => {
  function fill(logo: string) {
    return fillOf(badgeOf({ ...query, logo }))
  }
  expect(fill('github')).toBe('#ffffff')
  const [own, drawn] = [findIcon('typescript')?.brandColor ?? '', fill('typescript')].map((hex) =>
    toOklch(parseHex(hex) ?? { r: 0, g: 0, b: 0 }),
  )
  expect(Math.abs((own?.h ?? 0) - (drawn?.h ?? 0))).toBeLessThan(20)
  expect(drawn?.l).toBeGreaterThan(own?.l ?? 1)
})
