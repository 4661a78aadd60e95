import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { allFontFiles } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import { hasOpticalSizes } from '../../src/text/style-fonts.ts'
import { unpackFont, woff2Ready } from '../../src/text/woff2.ts'

await woff2Ready

interface Table {
  readonly tag: string
  readonly bytes: Uint8Array
}

function tablesOf(font: Uint8Array): readonly Table[] {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  return Array.from({ length: view.getUint16(4) }, (_, index) => {
    const record = 12 + 16 * index
    const start = view.getUint32(record + 8)
    const tag = String.fromCharCode(...font.subarray(record, record + 4))
    return { tag, bytes: font.slice(start, start + view.getUint32(record + 12)) }
  }).toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
}

test('fonts unpack to the tables that the reference decoder of WOFF2 makes of them, byte for byte', () => {
  const hash = createHash('sha256')
  for (const [index, file] of allFontFiles().entries()) {
    if (index % 12 !== 0 && index > 60) continue
    for (const { tag, bytes } of tablesOf(unpackFont(readFontFileSync(file)))) {
      // It holds a checksum of the whole file, which nobody reads.
      if (tag !== 'head') hash.update(tag).update(bytes)
    }
  }
  // Checksum of the tables that wawoff2 2.0.1 unpacks, which is Google's decoder as WebAssembly.
  expect(hash.digest('hex')).toBe('4c4afaf69015d0a34165666d06df8aaaafc89777e2839582d9700098cf6abaef')
})

test('a font that is unpacked stays as it is while others are unpacked', () => {
  const [first, ...others] = allFontFiles().slice(0, 6).map(readFontFileSync)
  if (first === undefined) throw new Error('no font')
  const font = unpackFont(first)
  const copy = font.slice()
  for (const other of others) unpackFont(other)
  expect(Buffer.compare(font, copy)).toBe(0)
})

test('a font that is cut off or damaged is an error, and the next one unpacks all the same', () => {
  const [file] = allFontFiles().slice(30)
  if (file === undefined) throw new Error('no font')
  const whole = readFontFileSync(file)
  const font = unpackFont(whole)
  for (let bytes = 50; bytes < whole.length; bytes += Math.ceil(whole.length / 40))
    expect(() => unpackFont(whole.slice(0, bytes))).toThrow()
  expect(Buffer.compare(unpackFont(whole), font)).toBe(0)
})

test('only fonts that say so have other shapes for large sizes', () => {
  const ofPackages = new Map(allFontFiles().map((file) => [file.packageName, file]))
  for (const file of ofPackages.values()) {
    const axes = tablesOf(unpackFont(readFontFileSync(file))).find(({ tag }) => tag === 'fvar')
    const hasAxis = axes !== undefined && Buffer.from(axes.bytes).includes('opsz')
    if (hasAxis) expect(hasOpticalSizes(file), file.file).toBe(true)
  }
})
