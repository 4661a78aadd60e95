import { expect, test } from 'bun:test'
import { restoreRows, rowChanges } from '../../src/raster/row-changes.ts'
import { randomFrom } from '../support/random.ts'

/** Rows in which a byte differs from the one above it with a chance of `share`; their first bytes are 0, as of a PNG. */
function randomRows(
  { below }: ReturnType<typeof randomFrom>,
  stride: number,
  count: number,
  share: number,
): Uint8Array {
  const rows = new Uint8Array(stride * count)
  for (let at = 0; at < rows.length; at++) {
    if (at % stride === 0) continue
    const above = at < stride ? 0 : (rows[at - stride] as number)
    rows[at] = below(10_000) < share * 10_000 ? below(256) : above
  }
  return rows
}

test('a picture is restored from its changes byte by byte, whatever was there before', () => {
  const random = randomFrom(11)
  for (const stride of [2, 301, 3601])
    for (const share of [0, 0.0005, 0.1, 1]) {
      const rows = randomRows(random, stride, 40, share)
      const restored = new Uint8Array(rows.length).fill(99)
      restoreRows(restored, stride, rowChanges(rows, stride))
      expect(Buffer.compare(restored, rows)).toBe(0)
    }
})
