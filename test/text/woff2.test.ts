import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { allFontFiles } from '../../src/text/coverage/lookup.ts'
import { readFontFileSync } from '../../src/text/font-files.ts'
import { hasOpticalSizes } from '../../src/text/style-fonts.ts'
import { unpackFont, unpackFontSync } from '../../src/text/woff2.ts'

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
    for (const { tag, bytes } of tablesOf(unpackFontSync(readFontFileSync(file)))) {
      // It holds a checksum of the whole file, which nobody reads.
      if (tag !== 'head') hash.update(tag).update(bytes)
    }
  }
  // Checksum of the tables that wawoff2 2.0.1 unpacks, which is Google's decoder as WebAssembly.
  expect(hash.digest('hex')).toBe('4c4afaf69015d0a34165666d06df8aaaafc89777e2839582d9700098cf6abaef')
})

test('a font unpacks to the same in turns of the event loop as at once', async () => {
  for (const file of allFontFiles().slice(0, 30)) {
    const packed = readFontFileSync(file)
    expect(Buffer.compare(await unpackFont(packed), unpackFontSync(packed))).toBe(0)
  }
})

test('a font that is cut off or damaged is an error, in turns and at once', async () => {
  const [file] = allFontFiles().slice(30)
  if (file === undefined) throw new Error('no font')
  const whole = readFontFileSync(file)
  for (let bytes = 50; bytes < whole.length; bytes += Math.ceil(whole.length / 40)) {
    const part = whole.slice(0, bytes)
    expect(() => unpackFontSync(part)).toThrow()
    const outcome = await unpackFont(part).then(String, (error: unknown) => error)
    expect(outcome).toBeInstanceOf(Error)
  }
})

test('only fonts that say so have other shapes for large sizes', () => {
  const ofPackages = new Map(allFontFiles().map((file) => [file.packageName, file]))
  for (const file of ofPackages.values()) {
    const axes = tablesOf(unpackFontSync(readFontFileSync(file))).find(({ tag }) => tag === 'fvar')
    const hasAxis = axes !== undefined && Buffer.from(axes.bytes).includes('opsz')
    if (hasAxis) expect(hasOpticalSizes(file), file.file).toBe(true)
  }
})
