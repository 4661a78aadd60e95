import { expect, test } from 'bun:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { createCompressor, createExpander, outputPieceBytes } from '../../src/raster/zlib.ts'
import { randomFrom } from '../support/random.ts'

const { below } = randomFrom(5)

function noise(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, () => below(256))
}

/** Whether both have the same bytes: a failed comparison of lists would print them. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

const inputs: readonly Uint8Array[] = [
  new Uint8Array(0),
  noise(1),
  new Uint8Array(5_000_000),
  noise(3 * outputPieceBytes),
  Uint8Array.from({ length: 2_000_000 }, (_, at) => (at % 251) ^ (at >> 8)),
  noise(70_000),
]

test('a stream that is used again compresses each input to the bytes of a stream of its own', () => {
  for (const level of [4, 5]) {
    const compress = createCompressor(level)
    for (const input of [...inputs, ...inputs.toReversed()])
      expect(isSame(compress(input), deflateSync(input, { level, chunkSize: outputPieceBytes }))).toBe(true)
  }
})

test('a stream that is used again expands what others compressed, however much it is', () => {
  const expand = createExpander()
  for (const input of [...inputs, ...inputs.toReversed()])
    expect(isSame(expand(deflateSync(input)), input)).toBe(true)
})

test('output that ends where a piece ends is whole', () => {
  const compress = createCompressor(5)
  const expand = createExpander()
  const input = noise(outputPieceBytes)
  const lengths = Array.from({ length: 120 }, (_, n) => outputPieceBytes - n)
  const found = lengths.map((bytes) => {
    const compressed = compress(input.subarray(0, bytes)).slice()
    expect(isSame(inflateSync(compressed), input.subarray(0, bytes))).toBe(true)
    return compressed.length
  })
  expect(found).toContain(outputPieceBytes)
  expect(isSame(expand(deflateSync(input)), input)).toBe(true)
})
