import zlib from 'node:zlib'
import type { FetchLimits } from '../../src/web/fetch-limits.ts'
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

/** Highly compressed zeros that follow a title. */
const bombHead = Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(48 * 1024 * 1024)])

export const httpCases: readonly HttpCase[] = [
  { id: 'ok', expect: 'ok', behave: sized(page) },
  { id: 'no-response', expect: 'timeout_headers', limits: { headersMs: 500 }, behave: () => {} },
  {
    id: 'slow-body',
    expect: 'timeout_total',
    limits: { totalMs: 1_000 },
    behave: floods(`${head}\r\n`, 'x', 60),
  },
  {
    id: 'slow-body-after-title',
    expect: 'truncated',
    // Its beginning arrives long before.
    limits: { totalMs: 4_000 },
    behave: floods(`${head}\r\n<title>Slow</title>`, 'x', 60),
  },
  {
    id: 'silent-body',
    expect: 'timeout_body',
    limits: { idleMs: 500 },
    behave: (socket) => socket.write(`${head}\r\nhello`),
  },
  {
    id: 'silent-body-after-title',
    expect: 'truncated',
    limits: { idleMs: 500 },
    behave: (socket) => socket.write(`${head}\r\n<title>Silence</title>`),
  },
  {
    id: 'slow-headers',
    expect: 'timeout_headers',
    limits: { headersMs: 500 },
    behave: floods(head, 'X-A: b\r\n', 50),
  },
  {
    id: 'infinite-headers',
    expect: 'headers_too_large',
    behave: floods(head, 'X-Many: words words words\r\n'.repeat(50)),
  },
  { id: 'infinite-header-line', expect: 'headers_too_large', behave: floods(`${head}X: `, 'a'.repeat(4096)) },
  {
    id: 'infinite-status-line',
    expect: 'headers_too_large',
    behave: floods('HTTP/1.1 200 ', 'O'.repeat(4096)),
  },
  {
    id: 'many-headers',
    expect: 'ok',
    behave: says(`${head}${'a: b\r\n'.repeat(5000)}Content-Length: ${page.length}\r\n\r\n${page}`),
  },
  {
    id: 'large-body-in-pieces',
    expect: 'ok',
    behave: (socket) => {
      const piece = '<p>words</p>'.repeat(20_000)
      socket.write(`${head}Content-Length: ${4 * piece.length}\r\n\r\n`)
      for (let at = 0; at < 4; at += 1) setTimeout(() => socket.write(piece), at * 60)
    },
  },
  {
    id: 'endless-body',
    expect: 'truncated',
    behave: floods(`${head}\r\n<title>Big</title>`, 'x'.repeat(65_536)),
  },
  {
    id: 'head-then-infinite',
    expect: 'ok',
    behave: floods(`${head}\r\n<title>T</title><stop>`, 'x'.repeat(4096), 20),
  },
  { id: 'gzip-bomb', expect: 'truncated', behave: coded('gzip', zlib.gzipSync(bombHead)) },
  {
    id: 'br-bomb',
    expect: 'truncated',
    behave: coded('br', zlib.brotliCompressSync(bombHead, fastBrotli())),
  },
  { id: 'zstd-bomb', expect: 'truncated', behave: coded('zstd', zlib.zstdCompressSync(bombHead)) },
  {
    id: 'double-gzip-bomb',
    expect: 'truncated',
    behave: coded('gzip, gzip', zlib.gzipSync(zlib.gzipSync(bombHead))),
  },
  { id: 'gzip', expect: 'ok', behave: coded('gzip', gzip) },
  { id: 'x-gzip', expect: 'ok', behave: coded('x-gzip', gzip) },
  { id: 'br-upper-case', expect: 'ok', behave: coded('BR', zlib.brotliCompressSync(page)) },
  { id: 'zstd', expect: 'ok', behave: coded('zstd', zlib.zstdCompressSync(page)) },
  { id: 'deflate-zlib', expect: 'ok', behave: coded('deflate', zlib.deflateSync(page)) },
  { id: 'deflate-raw', expect: 'ok', behave: coded('deflate', zlib.deflateRawSync(page)) },
  { id: 'gzip-twice', expect: 'ok', behave: coded('gzip, gzip', gzipTimes(2)) },
  {
    id: 'gzip-multi',
    expect: 'ok',
    behave: coded('gzip', Buffer.concat([zlib.gzipSync(page.slice(0, 99)), zlib.gzipSync(page.slice(99))])),
  },
  { id: 'gzip-without-trailer', expect: 'ok', behave: coded('gzip', gzip.subarray(0, -8)) },
  { id: 'gzip-cut', expect: 'truncated', behave: coded('gzip', firstHalf(zlib.gzipSync(longPage))) },
  { id: 'gzip-cut-by-a-byte', expect: 'truncated', behave: coded('gzip', gzip.subarray(0, -9)) },
  { id: 'gzip-cut-in-its-header', expect: 'decode_error', behave: coded('gzip', gzip.subarray(0, 7)) },
  { id: 'gzip-nothing', expect: 'empty_response', behave: coded('gzip', new Uint8Array()) },
  { id: 'br-cut', expect: 'truncated', behave: coded('br', firstHalf(zlib.brotliCompressSync(longPage))) },
  {
    id: 'deflate-cut',
    expect: 'truncated',
    behave: coded('deflate', firstHalf(zlib.deflateSync(longPage))),
  },
  {
    id: 'deflate-raw-cut',
    expect: 'truncated',
    behave: coded('deflate', firstHalf(zlib.deflateRawSync(longPage))),
  },
  {
    id: 'gzip-twice-cut',
    expect: 'truncated',
    behave: coded('gzip, gzip', firstHalf(zlib.gzipSync(zlib.gzipSync(longPage)))),
  },
  {
    id: 'zstd-cut-in-its-first-block',
    expect: 'decode_error',
    behave: coded('zstd', firstHalf(zlib.zstdCompressSync(page))),
  },
  { id: 'zstd-cut', expect: 'truncated', behave: coded('zstd', firstHalf(zlib.zstdCompressSync(longPage))) },
  { id: 'gzip-with-junk', expect: 'ok', behave: coded('gzip', withJunk(gzip)) },
  { id: 'gzip-with-zeros', expect: 'ok', behave: coded('gzip', Buffer.concat([gzip, Buffer.alloc(20)])) },
  {
    id: 'gzip-long-with-junk',
    expect: 'ok',
    behave: coded('gzip', withJunk(zlib.gzipSync(longPage))),
  },
  {
    id: 'gzip-byte-by-byte',
    expect: 'ok',
    behave: says(
      `${head}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...[...withJunk(Buffer.concat([namedGzip, gzip]))].map((byte) =>
        Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
      ),
      '0\r\n\r\n',
    ),
  },
  {
    id: 'gzip-with-an-endless-name-byte-by-byte',
    expect: 'decode_error',
    behave: says(
      `${head}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`),
      '1\r\nn\r\n'.repeat(262_144),
    ),
  },
  {
    id: 'gzip-in-more-pieces-than-anybody-sends',
    expect: 'truncated',
    isSlow: true,
    behave: says(
      `${head}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...[...zlib.gzipSync(longPage).subarray(0, 60_000)].map(
        (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`,
      ),
    ),
  },
  {
    id: 'gzip-with-an-endless-name',
    expect: 'truncated',
    behave: coded(
      'gzip',
      Buffer.concat([gzip, Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(300_000, 'n')]),
    ),
  },
  {
    id: 'gzip-of-nothing-again-and-again',
    expect: 'empty_response',
    behave: coded('gzip', Buffer.concat(Array.from({ length: 20_000 }, () => zlib.gzipSync('')))),
  },
  {
    id: 'gzip-x6',
    expect: 'unsupported_encoding',
    behave: coded('gzip, gzip, gzip, gzip, gzip, gzip', gzipTimes(6)),
  },
  { id: 'gzip-lie', expect: 'decode_error', behave: coded('gzip', Buffer.from(page)) },
  { id: 'br-lie', expect: 'decode_error', behave: coded('br', Buffer.from(page)) },
  { id: 'enc-unknown', expect: 'unsupported_encoding', behave: coded('sdch', Buffer.from(page)) },
  { id: 'enc-utf8', expect: 'ok', behave: coded('UTF-8', Buffer.from(page)) },
  { id: 'enc-identity', expect: 'ok', behave: coded('identity', Buffer.from(page)) },
  {
    id: 'chunked',
    expect: 'ok',
    behave: says(`${chunked}${page.length.toString(16)}\r\n${page}\r\n0\r\n\r\n`),
  },
  {
    id: 'chunk-extensions',
    expect: 'ok',
    behave: says(
      `${chunked}${page.length.toString(16)};name="value"\r\n${page}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    ),
  },
  {
    id: 'one-byte-chunks',
    expect: 'truncated',
    behave: says(chunked, '1\r\nx\r\n'.repeat(100_000), '0\r\n\r\n'),
  },
  {
    id: 'te-cl',
    expect: 'protocol_error',
    behave: says(`${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
  },
  { id: 'chunk-overflow', expect: 'protocol_error', behave: says(`${chunked}11111111111111111\r\nabc\r\n`) },
  { id: 'chunk-not-hex', expect: 'protocol_error', behave: says(`${chunked}xyz\r\nabc\r\n`) },
  { id: 'chunk-broken-later', expect: 'truncated', behave: says(`${chunked}7\r\n<title>\r\nnonsense\r\n`) },
  { id: 'chunk-ends-early', expect: 'truncated', behave: says(`${chunked}ff\r\n<title>Early</title>`) },
  {
    id: 'chunk-extension-infinite',
    expect: 'protocol_error',
    behave: floods(`${chunked}5;`, 'x'.repeat(8192)),
  },
  {
    id: 'trailer-infinite',
    expect: 'headers_too_large',
    behave: floods(`${chunked}5\r\nhello\r\n0\r\n`, 'X-T: words\r\n'.repeat(300)),
  },
  { id: 'lf-only', expect: 'protocol_error', behave: says('HTTP/1.1 200 OK\nContent-Length: 2\n\nhi') },
  { id: 'http10', expect: 'ok', behave: says(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${page}`) },
  {
    id: 'no-reason',
    expect: 'ok',
    behave: says(`HTTP/1.1 200\r\nContent-Length: ${page.length}\r\n\r\n${page}`),
  },
  { id: 'http09', expect: 'protocol_error', behave: says(page) },
  { id: 'icy', expect: 'protocol_error', behave: says('ICY 200 OK\r\nContent-Length: 2\r\n\r\nhi') },
  { id: 'ssh-banner', expect: 'protocol_error', behave: says('SSH-2.0-OpenSSH_9.9\r\n') },
  {
    id: 'http2-preface',
    expect: 'protocol_error',
    behave: says(new Uint8Array([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128])),
  },
  {
    id: 'status-999',
    expect: 'target_http_status',
    behave: says('HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno'),
  },
  {
    id: 'status-404',
    expect: 'target_http_status',
    behave: says('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno'),
  },
  { id: 'status-304', expect: 'target_http_status', behave: says('HTTP/1.1 304 Not Modified\r\n\r\n') },
  { id: 'status-204', expect: 'empty_response', behave: says('HTTP/1.1 204 No Content\r\n\r\n') },
  {
    id: 'status-101',
    expect: 'protocol_error',
    behave: says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  },
  {
    id: 'slow-redirects',
    expect: 'timeout_total',
    limits: { totalMs: 1_400 },
    // Each answer is in time; together they are not.
    behave: (socket, request) =>
      setTimeout(
        () =>
          says(`HTTP/1.1 302 Found\r\nLocation: ${pathOf(request)}x\r\nContent-Length: 0\r\n\r\n`)(
            socket,
            request,
          ),
        500,
      ),
  },
  {
    id: 'redirect-nowhere',
    expect: 'target_http_status',
    behave: says('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'),
  },
  {
    id: 'redirect-nonsense',
    expect: 'invalid_url',
    behave: says('HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n'),
  },
  {
    id: 'challenge',
    expect: 'target_challenge',
    behave: says('HTTP/1.1 403 Forbidden\r\ncf-mitigated: challenge\r\nContent-Length: 2\r\n\r\nno'),
  },
  { id: 'empty-body', expect: 'empty_response', behave: sized('') },
  {
    id: 'flood-100',
    expect: 'protocol_error',
    behave: floods('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), 5),
  },
  {
    id: 'flood-103',
    expect: 'protocol_error',
    behave: floods('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(20), 5),
  },
  {
    id: 'one-103',
    expect: 'ok',
    behave: says(
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head}Content-Length: ${page.length}\r\n\r\n${page}`,
    ),
  },
  { id: 'cl-short', expect: 'truncated', behave: says(`${head}Content-Length: 9999\r\n\r\n${page}`) },
  {
    id: 'cl-long-body',
    expect: 'ok',
    behave: says(`${head}Content-Length: 7\r\n\r\n<title>and more than it said`),
  },
  { id: 'cl-neg', expect: 'protocol_error', behave: says(`${head}Content-Length: -2\r\n\r\nhi`) },
  {
    id: 'cl-twice',
    expect: 'protocol_error',
    behave: says(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!`),
  },
  {
    id: 'cl-huge',
    expect: 'protocol_error',
    behave: says(`${head}Content-Length: 99999999999999999999999\r\n\r\nhi`),
  },
  {
    id: 'obs-fold',
    expect: 'protocol_error',
    behave: says(`${head}X-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\nhi`),
  },
  {
    id: 'nul-in-header',
    expect: 'protocol_error',
    behave: says(`${head}X: a\0b\r\nContent-Length: 2\r\n\r\nhi`),
  },
  {
    id: 'space-before-colon',
    expect: 'protocol_error',
    behave: says(`${head}X-A : a\r\nContent-Length: 2\r\n\r\nhi`),
  },
  {
    id: 'latin1-header',
    expect: 'ok',
    behave: says(`${head}X-Place: caf\xe9\r\nContent-Length: ${page.length}\r\n\r\n${page}`),
  },
  { id: 'closes-at-once', expect: 'connection_reset', behave: (socket) => socket.end() },
  { id: 'closes-in-headers', expect: 'connection_reset', behave: says('HTTP/1.1 200 OK\r\nContent-Ty') },
  { id: 'resets-at-once', expect: 'connection_reset', behave: (socket) => socket.resetAndDestroy() },
  {
    id: 'rst-midbody',
    expect: 'truncated',
    behave: (socket) =>
      socket.write(`${head}Content-Length: 9999\r\n\r\n<title>Cut</title>`, () =>
        setTimeout(() => socket.resetAndDestroy(), 30),
      ),
  },
]

/** Level 4 packs zeros as well as level 11 and does not take seconds. */
function fastBrotli(): zlib.BrotliOptions {
  return { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }
}
