import zlib from 'node:zlib'
import type { FetchLimits } from '../../src/web/connect.ts'
import answers from './http-answers.json' with { type: 'json' }
import { type Behaviour, flood } from './support/raw-server.ts'

/** The outcome that the fetcher must report: `ok`, `truncated` or the reason of its failure. */
export interface HttpCase {
  readonly id: string
  readonly expect: string
  /** The time limit that decides the outcome. The others are far longer than the case takes. */
  readonly limits?: Partial<FetchLimits>
  /** Left out of the quick run. */
  readonly isSlow?: boolean
  readonly behave: Behaviour
}

const page = `<!doctype html><title>Hello</title>${'<p>words</p>'.repeat(40)}`
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`

function says(...parts: (string | Uint8Array)[]): Behaviour {
  return (socket) => {
    for (const part of parts) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
    socket.end()
  }
}

function pathOf(request: string): string {
  return request.split(' ')[1] ?? '/'
}

function sized(body: string | Uint8Array, headers = ''): Behaviour {
  return says(`${head}${headers}Content-Length: ${body.length}\r\n\r\n`, body)
}

function coded(coding: string, body: Uint8Array): Behaviour {
  return sized(body, `Content-Encoding: ${coding}\r\n`)
}

/** Sends gzip data in chunks of a byte. */
function byteByByte(bytes: Iterable<number>, end = ''): Behaviour {
  const chunks = Array.from(bytes, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`)
  return says(`${head}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`, ...chunks, end)
}

const redirectsSlowly: Behaviour = (socket, request) => {
  const answer = `HTTP/1.1 302 Found\r\nLocation: ${pathOf(request)}x\r\nContent-Length: 0\r\n\r\n`
  setTimeout(() => says(answer)(socket, request), 500)
}

function floods(first: string | Uint8Array, piece: string | Uint8Array, everyMs = 0): Behaviour {
  return (socket) => {
    socket.write(first)
    flood(socket, piece, everyMs)
  }
}

const gzip = zlib.gzipSync(page)
function gzipTimes(times: number): Buffer {
  return times === 0 ? Buffer.from(page) : zlib.gzipSync(gzipTimes(times - 1))
}

/** More than one block in every coding. */
const longPage = `<title>Long</title>${Array.from({ length: 120_000 }, (_, at) => (Math.imul(at, 2_654_435_761) >>> 7) % 9_973).join(' ')}`
function firstHalf(bytes: Uint8Array) {
  return bytes.subarray(0, bytes.length / 2)
}
function withJunk(bytes: Uint8Array) {
  return Buffer.concat([bytes, Buffer.from('junk after the end')])
}

/** A gzip header with all that it may have: an extra field, a name, a comment and a checksum. */
const namedGzip = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 2 + 4 + 8 + 16, 0, 0, 0, 0, 0, 3]),
  Buffer.from('\x03\0abcname\0comment\0cs', 'latin1'),
  zlib.deflateRawSync('<title>'),
  Buffer.alloc(8),
])

/** A gzip header whose name begins behind it. */
const headOfName = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])

/** Highly compressed zeros that follow a title. */
const bombHead = Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(48 * 1024 * 1024)])

const rows: readonly [id: string, expect: string, behave: Behaviour, more?: Partial<HttpCase>][] = [
  ['ok', 'ok', sized(page)],
  ['no-response', 'timeout_headers', () => {}, { limits: { headersMs: 500 } }],
  ['slow-body', 'timeout_total', floods(`${head}\r\n`, 'x', 60), { limits: { totalMs: 1_000 } }],
  // Its beginning arrives long before.
  [
    'slow-body-after-title',
    'truncated',
    floods(`${head}\r\n<title>Slow</title>`, 'x', 60),
    { limits: { totalMs: 4_000 } },
  ],
  ['silent-body', 'timeout_body', (socket) => socket.write(`${head}\r\nhello`), { limits: { idleMs: 500 } }],
  [
    'silent-body-after-title',
    'truncated',
    (socket) => socket.write(`${head}\r\n<title>Silence</title>`),
    { limits: { idleMs: 500 } },
  ],
  ['slow-headers', 'timeout_headers', floods(head, 'X-A: b\r\n', 50), { limits: { headersMs: 500 } }],
  ['infinite-headers', 'headers_too_large', floods(head, 'X-Many: words words words\r\n'.repeat(50))],
  ['infinite-header-line', 'headers_too_large', floods(`${head}X: `, 'a'.repeat(4096))],
  ['infinite-status-line', 'headers_too_large', floods('HTTP/1.1 200 ', 'O'.repeat(4096))],
  [
    'many-headers',
    'ok',
    says(`${head}${'a: b\r\n'.repeat(5000)}Content-Length: ${page.length}\r\n\r\n${page}`),
  ],
  [
    'large-body-in-pieces',
    'ok',
    (socket) => {
      const piece = '<p>words</p>'.repeat(20_000)
      socket.write(`${head}Content-Length: ${4 * piece.length}\r\n\r\n`)
      for (let at = 0; at < 4; at += 1) setTimeout(() => socket.write(piece), at * 60)
    },
  ],
  ['endless-body', 'truncated', floods(`${head}\r\n<title>Big</title>`, 'x'.repeat(65_536))],
  ['head-then-infinite', 'ok', floods(`${head}\r\n<title>T</title><stop>`, 'x'.repeat(4096), 20)],
  ['gzip-bomb', 'truncated', coded('gzip', zlib.gzipSync(bombHead))],
  ['br-bomb', 'truncated', coded('br', zlib.brotliCompressSync(bombHead, fastBrotli()))],
  ['zstd-bomb', 'truncated', coded('zstd', zlib.zstdCompressSync(bombHead))],
  ['double-gzip-bomb', 'truncated', coded('gzip, gzip', zlib.gzipSync(zlib.gzipSync(bombHead)))],
  ['gzip', 'ok', coded('gzip', gzip)],
  ['x-gzip', 'ok', coded('x-gzip', gzip)],
  ['br-upper-case', 'ok', coded('BR', zlib.brotliCompressSync(page))],
  ['zstd', 'ok', coded('zstd', zlib.zstdCompressSync(page))],
  ['deflate-zlib', 'ok', coded('deflate', zlib.deflateSync(page))],
  ['deflate-raw', 'ok', coded('deflate', zlib.deflateRawSync(page))],
  ['gzip-twice', 'ok', coded('gzip, gzip', gzipTimes(2))],
  [
    'gzip-multi',
    'ok',
    coded('gzip', Buffer.concat([zlib.gzipSync(page.slice(0, 99)), zlib.gzipSync(page.slice(99))])),
  ],
  ['gzip-without-trailer', 'ok', coded('gzip', gzip.subarray(0, -8))],
  ['gzip-cut', 'truncated', coded('gzip', firstHalf(zlib.gzipSync(longPage)))],
  ['gzip-cut-by-a-byte', 'truncated', coded('gzip', gzip.subarray(0, -9))],
  ['gzip-cut-in-its-header', 'decode_error', coded('gzip', gzip.subarray(0, 7))],
  ['gzip-nothing', 'empty_response', coded('gzip', new Uint8Array())],
  ['br-cut', 'truncated', coded('br', firstHalf(zlib.brotliCompressSync(longPage)))],
  ['deflate-cut', 'truncated', coded('deflate', firstHalf(zlib.deflateSync(longPage)))],
  ['deflate-raw-cut', 'truncated', coded('deflate', firstHalf(zlib.deflateRawSync(longPage)))],
  ['gzip-twice-cut', 'truncated', coded('gzip, gzip', firstHalf(zlib.gzipSync(zlib.gzipSync(longPage))))],
  ['zstd-cut-in-its-first-block', 'decode_error', coded('zstd', firstHalf(zlib.zstdCompressSync(page)))],
  ['zstd-cut', 'truncated', coded('zstd', firstHalf(zlib.zstdCompressSync(longPage)))],
  ['gzip-with-junk', 'ok', coded('gzip', withJunk(gzip))],
  ['gzip-with-zeros', 'ok', coded('gzip', Buffer.concat([gzip, Buffer.alloc(20)]))],
  ['gzip-long-with-junk', 'ok', coded('gzip', withJunk(zlib.gzipSync(longPage)))],
  ['gzip-byte-by-byte', 'ok', byteByByte(withJunk(Buffer.concat([namedGzip, gzip])), '0\r\n\r\n')],
  [
    'gzip-with-an-endless-name-byte-by-byte',
    'decode_error',
    byteByByte(headOfName, '1\r\nn\r\n'.repeat(262_144)),
  ],
  [
    'gzip-in-more-pieces-than-anybody-sends',
    'truncated',
    byteByByte(zlib.gzipSync(longPage).subarray(0, 60_000)),
    { isSlow: true },
  ],
  [
    'gzip-with-an-endless-name',
    'truncated',
    coded('gzip', Buffer.concat([gzip, headOfName, Buffer.alloc(300_000, 'n')])),
  ],
  [
    'gzip-of-nothing-again-and-again',
    'empty_response',
    coded('gzip', Buffer.concat(Array.from({ length: 20_000 }, () => zlib.gzipSync('')))),
  ],
  ['gzip-x6', 'unsupported_encoding', coded('gzip, gzip, gzip, gzip, gzip, gzip', gzipTimes(6))],
  ['gzip-lie', 'decode_error', coded('gzip', Buffer.from(page))],
  ['br-lie', 'decode_error', coded('br', Buffer.from(page))],
  ['enc-unknown', 'unsupported_encoding', coded('sdch', Buffer.from(page))],
  ['enc-utf8', 'ok', coded('UTF-8', Buffer.from(page))],
  ['enc-identity', 'ok', coded('identity', Buffer.from(page))],
  ['one-byte-chunks', 'truncated', says(chunked, '1\r\nx\r\n'.repeat(100_000), '0\r\n\r\n')],
  ['chunk-extension-infinite', 'protocol_error', floods(`${chunked}5;`, 'x'.repeat(8192))],
  [
    'trailer-infinite',
    'headers_too_large',
    floods(`${chunked}5\r\nhello\r\n0\r\n`, 'X-T: words\r\n'.repeat(300)),
  ],
  ['http09', 'protocol_error', says(page)],
  ['http2-preface', 'protocol_error', says(new Uint8Array([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128]))],
  // Each answer is in time; together they are not.
  ['slow-redirects', 'timeout_total', redirectsSlowly, { limits: { totalMs: 1_400 } }],
  ['empty-body', 'empty_response', sized('')],
  ['flood-100', 'protocol_error', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), 5)],
  ['flood-103', 'protocol_error', floods('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(20), 5)],
  ['closes-at-once', 'connection_reset', (socket) => socket.end()],
  ['resets-at-once', 'connection_reset', (socket) => socket.resetAndDestroy()],
  [
    'rst-midbody',
    'truncated',
    (socket) =>
      socket.write(`${head}Content-Length: 9999\r\n\r\n<title>Cut</title>`, () =>
        setTimeout(() => socket.resetAndDestroy(), 30),
      ),
  ],
]

const texts = { head, chunked, page, length: `${page.length}`, 'hex length': page.length.toString(16) }

/** Answers that are one text each, in which a name in braces stands for one of the texts above. */
const written = (answers as [id: string, expect: string, answer: string][]).map(
  ([id, expect, answer]): (typeof rows)[number] => {
    const filled = Object.entries(texts).reduce(
      (text, [name, own]) => text.replaceAll(`{${name}}`, own),
      answer,
    )
    return [id, expect, says(filled)]
  },
)

export const httpCases: readonly HttpCase[] = [...rows, ...written].map(([id, expect, behave, more]) => ({
  id,
  expect,
  behave,
  ...more,
}))

/** Level 4 packs zeros as well as level 11 and does not take seconds. */
function fastBrotli(): zlib.BrotliOptions {
  return { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }
}
