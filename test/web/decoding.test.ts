import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import zlib from 'node:zlib'
import { createPageParser } from '../../src/assets/preview/page-parser.ts'
import { createCharsetDecoder } from '../../src/web/charset.ts'
import { createMemoryBudget } from '../../src/web/checked-decoder.ts'
import { brotliWindowBytes, createDecoders } from '../../src/web/content-decoders.ts'
import { countCopiedBytes } from '../support/count-copies.ts'
import { stallMsMax, watchEventLoop } from '../support/event-loop-lag.ts'
import { sampleSize, slowTest } from '../support/test-size.ts'

async function decode(coding: string, body: Uint8Array, pieceBytes: number) {
  const [decoder] = createDecoders(coding)
  if (decoder === undefined) throw new Error(`${coding} is no coding`)
  const { stream } = decoder
  const pieces: Uint8Array[] = []
  const ended = new Promise<string | undefined>((resolve) => {
    stream.on('data', (piece) => pieces.push(piece))
    stream.on('end', () => resolve(undefined))
    stream.on('error', ({ message }) => resolve(message))
  })
  for (let at = 0; at < body.length && !stream.destroyed; at += pieceBytes) {
    const isRoom = stream.write(body.subarray(at, at + pieceBytes))
    if (!isRoom) await new Promise((resolve) => stream.once('drain', resolve).once('close', resolve))
  }
  stream.end()
  const failure = await ended
  return failure ?? Buffer.from(pieces.flatMap((piece) => [...piece])).toString('latin1')
}

const sampleText = Array.from({ length: 3_000 }, (_, index) => (index * 7_919) % 10_007).join(' ')

function gzipNamed(nameBytes: number) {
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
    Buffer.alloc(nameBytes, 'n'),
    Buffer.from([0]),
    zlib.deflateRawSync(sampleText),
    Buffer.alloc(8),
  ])
}

describe('a body that comes byte by byte', () => {
  test.each([
    ['gzip', zlib.gzipSync(sampleText)],
    ['gzip', gzipNamed(4_000)],
    ['gzip', Buffer.concat([zlib.gzipSync(sampleText.slice(0, 99)), zlib.gzipSync(sampleText.slice(99))])],
    ['deflate', zlib.deflateSync(sampleText)],
    ['deflate', zlib.deflateRawSync(sampleText)],
    ['br', zlib.brotliCompressSync(sampleText)],
    ['zstd', zlib.zstdCompressSync(sampleText)],
  ])('says the same in %s, and no byte is copied again and again', async (coding, body) => {
    const copied = await countCopiedBytes(async () => {
      expect(await decode(coding, body, 1)).toBe(sampleText)
    })
    expect(copied).toBeLessThan(2 * (body.length + sampleText.length))
  })

  test('is no gzip when its header does not end, which is known before much of it has come', async () => {
    const endless = gzipNamed(262_144)
    const { value, stallMs } = await watchEventLoop(() =>
      countCopiedBytes(async () => {
        expect(await decode('gzip', endless, 1)).toContain('not compressed')
      }),
    )
    expect(value).toBeLessThan(2 * endless.length)
    expect(stallMs).toBeLessThan(stallMsMax)
  })

  test.each([
    ['declares nothing', `<head>${'<i>'.repeat(30_000)}`],
    ['declares something that nobody knows', `<meta charset=x-nothing>${'<i>'.repeat(30_000)}`],
    ['begins with what may be a sequence', `${'<i>'.repeat(20_000)}\xc3\xa4${'a'.repeat(20_000)}`],
  ])('is decoded in time that grows with it when it %s', async (_, text) => {
    const bytes = Buffer.from(text, 'latin1')
    const copied = await countCopiedBytes(() => {
      const decoder = createCharsetDecoder({ contentType: 'text/html', tld: 'com' })
      const pieces = Array.from(bytes, (byte) => decoder.push(Uint8Array.of(byte)))
      expect(pieces.join('') + decoder.end()).toHaveLength(new TextDecoder('utf-8').decode(bytes).length)
    })
    // Up to 64 KiB are looked at anew whenever they have grown by a quarter.
    expect(copied).toBeLessThan(10 * bytes.length)
  })

  test('is a page like any other', async () => {
    const page = Buffer.from(`<title>Byte by byte</title>${'<p>words</p>'.repeat(10_000)}`)
    const copied = await countCopiedBytes(async () => {
      const parser = createPageParser({
        url: 'https://site.example.com/',
        headers: {},
        contentType: 'text/html',
      })
      for (const byte of page) await parser.write(Uint8Array.of(byte))
      expect((await parser.finish()).fields.title).toBe('Byte by byte')
    })
    expect(copied).toBeLessThan(10 * page.length)
  })
})

describe('the memory of decoders', () => {
  test('what a brotli stream will take is known from its first byte', async () => {
    for (let bits = 10; bits <= 24; bits += sampleSize(1, 14)) {
      const body = zlib.brotliCompressSync(sampleText.repeat(sampleSize(2_000, 100)), {
        params: {
          [zlib.constants.BROTLI_PARAM_LGWIN]: bits,
          [zlib.constants.BROTLI_PARAM_QUALITY]: 2,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: 2 ** 25,
        },
      })
      // Encoders of low quality round small windows up.
      const window = brotliWindowBytes(body) ?? 0
      expect(window).toBeGreaterThanOrEqual(2 ** bits)
      expect(window).toBeLessThanOrEqual(Math.max(2 ** bits, 2 ** 18))
    }
  })

  test('windows that no standard knows are refused', async () => {
    expect(brotliWindowBytes(Uint8Array.of(0b0001_0001))).toBeUndefined()
    const large = zlib.brotliCompressSync(sampleText, {
      params: { [zlib.constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 30 },
    })
    expect(await decode('br', large, 1_000)).toContain('too much memory')
    const wide = zlib.zstdCompressSync(Buffer.alloc(20_000_000), {
      params: { [zlib.constants.ZSTD_c_windowLog]: 24, [zlib.constants.ZSTD_c_contentSizeFlag]: 0 },
    })
    expect(await decode('zstd', wide, 1_000)).not.toMatch(/^\0/)
  })

  test('two large windows in one body are refused: each could wait for the other', () => {
    for (const codings of ['br, br', 'zstd, br', 'br, zstd'])
      expect(() => createDecoders(codings)).toThrow('content coding')
    expect(createDecoders('br, gzip')).toHaveLength(2)
  })

  async function reserve(...sizes: readonly number[]) {
    const budget = createMemoryBudget(10)
    const granted: number[] = []
    const reservations = sizes.map((bytes) => budget.reserve(bytes))
    for (const [index, each] of reservations.entries()) each.granted.then(() => granted.push(index))
    await Promise.resolve()
    return { granted, release: async (index: number) => reservations[index]?.release() }
  }

  test('is given out in order, and never more than there is', async () => {
    const { granted, release } = await reserve(6, 4, 4, 99)
    expect(granted).toEqual([0, 1])
    await release(1)
    await release(1)
    expect(granted).toEqual([0, 1, 2])
    await release(0)
    expect(granted).toEqual([0, 1, 2])
    await release(2)
    expect(granted).toEqual([0, 1, 2, 3])
  })

  test('who gives up waiting leaves the line', async () => {
    const { granted, release } = await reserve(8, 8, 2)
    expect(granted).toEqual([0])
    await release(1)
    expect(granted).toEqual([0, 2])
  })

  slowTest('64 pages of a few bytes that each ask for 16 MiB are answered in little memory', () => {
    const child = new URL('./children/brotli-bombs.ts', import.meta.url).pathname
    const { stdout, stderr } = spawnSync(process.execPath, [child], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const { titled, grownMib, bytes } = JSON.parse(stdout)
    expect(bytes).toBeLessThan(60)
    expect(titled).toBe(64)
    expect(grownMib).toBeLessThan(150)
  })
})
