import { describe, expect, test } from 'bun:test'
import { makers } from '../../bench/pictures/draw-pictures.ts'
import { openSheet } from '../../bench/pictures/sheet.ts'
import type { SectionResult } from '../../bench/report/section-result.ts'
import type { Line, Row } from '../../bench/support/row.ts'
import { contrastRatio, parseHex } from '../../src/lib/color.ts'
import { pathBounds } from '../../src/svg/bounds.ts'

function section(name: string, rows: readonly Partial<Row>[]): SectionResult {
  const empty = { what: '', ours: '', peer: '', ratio: '', target: '' }
  return { name, measuredOn: '2026-01-01', machine: '', rows: rows.map((row) => ({ ...empty, ...row })) }
}

function lineRow(name: string, points: Line['points']): Partial<Row> {
  return { line: { name, points } }
}

function comparedRow(what: string, peerName: string, ours: number, peer: number): Partial<Row> {
  return { what, compared: { ours, peerName, peer, unit: 'µs' } }
}

/** Extremes: one of two is a thousand times as slow, lines that end at the same height, long names. */
const results = [
  section('cards', [
    comparedRow('SVG, warm words', 'takumi', 0.4, 1_900_000),
    comparedRow('SVG, warm words', 'satori', 0.4, 0.1),
    comparedRow('PNG', 'satori + resvg-js', 12_000, 65_000),
  ]),
  section('preview', [comparedRow('one page, read whole', 'open-graph-scraper', 2_000, 38_000)]),
  section('memory', [
    lineRow('without brands', [
      [0, 84],
      [60, 247],
      [80, 190],
    ]),
    lineRow('half of ten brands', [
      [0, 84],
      [70, 412],
      [90, 191],
    ]),
  ]),
  section('latency', [
    lineRow('constant route', [
      [50, 90],
      [99.99, 900],
    ]),
    lineRow('the same, PNGs drawn meanwhile', [
      [50, 95],
      [99.99, 31_000],
    ]),
  ]),
  section(
    'keys',
    ['A single take, median', 'A single take, p99', 'GET /api/usage over HTTP, median'].map((name) =>
      lineRow(name, [
        [1_000, 20],
        [1_000_000, 31],
      ]),
    ),
  ),
]

describe('a picture of results', () => {
  test.each(makers.map((make) => [make.name, make] as const))(
    '%s shows nothing where nothing was measured',
    (_, make) => {
      expect(make([])).toBeUndefined()
      expect(make([section('cards', [{ what: 'SVG, warm words' }])])).toBeUndefined()
    },
  )

  test.each(makers.map((make) => [make.name, make] as const))(
    '%s keeps inside its edges',
    async (_, make) => {
      const picture = make(results)
      if (picture === undefined) throw new Error('no picture')
      const sheet = await openSheet('light', picture.widthPx, picture.heightPx)
      picture.draw(sheet)
      // The first two layers are the edge and the background.
      for (const { d, x, y, scale } of sheet.layers.slice(2)) {
        const { left, top, right, bottom } = pathBounds(d)
        expect(x + left * scale).toBeGreaterThan(8)
        expect(y + top * scale).toBeGreaterThan(8)
        expect(x + right * scale).toBeLessThan(picture.widthPx - 8)
        expect(y + bottom * scale).toBeLessThan(picture.heightPx - 8)
      }
      expect(sheet.svg(picture.title, picture.description)).toContain('<title')
    },
  )

  test.each(['light', 'dark'] as const)('in %s has words that can be read', async (scheme) => {
    const { palette } = await openSheet(scheme, 10, 10)
    for (const color of [palette.ink, palette.paleInk, palette.ours, palette.bound, ...palette.lines])
      expect([color, contrast(color, palette.surface) >= 4.5]).toEqual([color, true])
  })
})

function contrast(one: string, other: string): number {
  const [a, b] = [parseHex(one), parseHex(other)]
  return a && b ? contrastRatio(a, b) : 0
}
