import { expect, test } from 'bun:test'
import { decodePng } from '../support/png-decode.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

async function bytesOf(path: string, contentType: string): Promise<Buffer> {
  const answer = await fetch(server.url + path)
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, contentType])
  return Buffer.from(await answer.arrayBuffer())
}

test('favicon.ico has a picture for each side that it names, whole and with something on it', async () => {
  const file = await bytesOf('/favicon.ico', 'image/x-icon')
  const count = file.readUInt16LE(4)
  expect([file.readUInt16LE(0), file.readUInt16LE(2), count]).toEqual([0, 1, 3])
  const sides = Array.from({ length: count }, (_, index) => {
    const entry = 6 + 16 * index
    const [length, offset] = [file.readUInt32LE(entry + 8), file.readUInt32LE(entry + 12)]
    const png = file.subarray(offset, offset + length)
    expect(png.subarray(12, 16).toString()).toBe('IHDR')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([file[entry], file[entry + 1]] as number[])
    expect(png.subarray(-8, -4).toString()).toBe('IEND')
    return file[entry]
  })
  expect(sides).toEqual([16, 32, 48])
})

test('the icon of a home screen has no transparent corner, and the SVG is the mark', async () => {
  const png = await bytesOf('/apple-touch-icon.png', 'image/png')
  const drawn = decodePng(png)
  expect([drawn.widthPx, drawn.heightPx]).toEqual([180, 180])
  expect([...drawn.rgba.subarray(0, 4)]).toEqual([0x2f, 0x4b, 0xc9, 255])
  expect((await bytesOf('/icon.svg', 'image/svg+xml')).toString()).toStartWith('<svg ')
})
