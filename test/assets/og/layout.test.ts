import { describe, expect, test } from 'bun:test'
import { cardSizes } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { sampleOf } from '../../support/test-size.ts'
import { parseXml, walk } from '../../support/xml-tree.ts'
import { cards, corpus, hostileCards, inkBoxes, type NamedCard } from './corpus.ts'
import { isInside, overlap, shown } from './random-text.ts'

/** Paths are on a grid of 1/1000 em. */
const gridPx = 0.2

/** Faults of the card as an SVG document. There must be none. */
async function documentFaults({ id, params }: NamedCard): Promise<string[]> {
  const svg = (await cards.svgPieces({ params })).join('')
  const faults = [
    ...svg.matchAll(/NaN|undefined|Infinity|<(?:script|style|image|foreignObject|filter|text)\b/g),
  ].map(String)
  for (const { name, attributes } of walk(parseXml(svg))) {
    for (const [key, value] of Object.entries(attributes)) {
      const isFine =
        key === 'xmlns' ||
        (!key.startsWith('on') &&
          !/https?:|data:/.test(value) &&
          (key !== 'id' || value.startsWith('og-')) &&
          (!key.endsWith('href') || value.startsWith('#og-')) &&
          (!value.includes('url(') || /^url\(#og-[\w-]+\)$/.test(value)))
      if (!isFine) faults.push(`<${name} ${key}="${value}">`)
    }
  }
  return faults.map((fault) => `${id}: ${fault}`)
}

/** Which texts leave their box or the card, or run into each other: none. */
async function layoutFaults({ id, params }: NamedCard): Promise<string[]> {
  const texts = (await cards.composed({ params })).texts.map((text) => ({ ...text, lines: inkBoxes(text) }))
  const faults: string[] = []
  for (const text of texts) {
    const box = {
      left: text.left,
      top: text.top,
      right: text.left + text.widthPx,
      bottom: text.top + text.heightPx,
    }
    if (
      !isInside(box, { left: 0, top: 0, right: cardSizes.og.widthPx, bottom: cardSizes.og.heightPx }, gridPx)
    )
      faults.push(`${text.role} off the card`)
    for (const ink of text.lines)
      if (!isInside(ink, box, gridPx)) faults.push(`${text.role} leaves ${shown(box)}: ${shown(ink)}`)
    for (const other of texts) {
      const meets =
        other !== text && text.lines.some((ink) => other.lines.some((theirs) => overlap(ink, theirs, 1)))
      if (meets) faults.push(`${text.role} runs into ${other.role}`)
    }
  }
  return faults.map((fault) => `${id}: ${fault}`)
}

async function faultsOf(
  named: readonly NamedCard[],
  check: (card: NamedCard) => Promise<string[]>,
): Promise<string[]> {
  const faults: string[] = []
  for (const card of named) faults.push(...(await check(card)))
  return faults
}

describe('every card of the cases in every theme', () => {
  test('is well-formed, closed in itself and free of scripts', async () => {
    expect(await faultsOf(sampleOf(corpus(), 12), documentFaults)).toEqual([])
  })

  test('keeps the ink of every line inside its box, off its neighbours and on the card', async () => {
    expect(await faultsOf(sampleOf(corpus(), 12), layoutFaults)).toEqual([])
  })
})

describe('texts made to break a layout', () => {
  test('make no ill-formed document', async () => {
    expect(await faultsOf(sampleOf(hostileCards(), 36), documentFaults)).toEqual([])
  })

  test('do not leave their boxes', async () => {
    expect(await faultsOf(sampleOf(hostileCards(), 36), layoutFaults)).toEqual([])
  })
})

describe('a card that lacks fields', () => {
  test('shows exactly the fields that it has', async () => {
    for (const { id, params } of sampleOf(corpus(), 12)) {
      const roles = (await cards.composed({ params })).texts.map(({ role }) => role)
      expect(roles.includes('subtitle'), id).toBe(Boolean(params.subtitle))
      expect(roles.includes('author'), id).toBe(Boolean(params.author))
      expect(roles.includes('domain'), id).toBe(Boolean(params.url))
    }
  })

  test('gives the title no less room than one that has them all', async () => {
    for (const theme of themeNames) {
      const title = 'A title of middling length that wraps somewhere in the middle'
      const full = {
        theme,
        title,
        subtitle: 'With a subtitle that takes two lines of its own, as the longer ones do',
        author: 'A',
        url: 'b.c',
      }
      async function sizeOf(params: typeof full | { theme: typeof theme; title: string }) {
        return (await cards.composed({ params })).texts[0]?.fitted.sizePx ?? 0
      }
      expect(await sizeOf({ theme, title })).toBeGreaterThanOrEqual(await sizeOf(full))
    }
  })
})
