import { expect, test } from 'bun:test'
import { coarsen } from '../../src/raster/coarsen.ts'

test('cells of pixels have their mean colour, those at the edges too', () => {
  const rows = Uint8Array.from(
    [
      [0, 10, 0, 0, 30, 0, 8, 100, 1, 2],
      [0, 20, 0, 0, 40, 0, 8, 200, 3, 4],
      [0, 7, 1, 1, 9, 1, 3, 60, 60, 60],
    ].flat(),
  )
  coarsen({ widthPx: 3, heightPx: 3, channels: 3, rows }, 2)
  expect([...rows]).toEqual(
    [
      [0, 25, 0, 4, 25, 0, 4, 150, 2, 3],
      [0, 25, 0, 4, 25, 0, 4, 150, 2, 3],
      [0, 8, 1, 2, 8, 1, 2, 60, 60, 60],
    ].flat(),
  )
})
