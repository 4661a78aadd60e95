import { expect, test } from 'bun:test'
import { constants, zstdCompressSync } from 'node:zlib'
import { compress } from '../../src/http/compression.ts'
import { randomFrom } from '../support/random.ts'

test.each([
  ['quick', 1],
  ['thorough', 6],
] as const)(
  'a body compressed with zstd, %s, has the bytes that Node and Deno make of it',
  async (effort, level) => {
    const random = randomFrom(3)
    for (let bytes = 1; bytes < 2 ** 19; bytes = Math.ceil(bytes * 1.9)) {
      const words = ['M', ' ', 'L', '½', '形', `${random.below(1000)}`]
      let text = ''
      while (text.length < bytes) text += random.pick(words) + random.below(300)
      for (const body of [text, new TextEncoder().encode(text)])
        expect(new Uint8Array(await compress('zstd', body, effort))).toEqual(
          new Uint8Array(zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: level } })),
        )
    }
  },
)
