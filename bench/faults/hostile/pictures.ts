import { crc32, deflateSync } from 'node:zlib'
import type { randomFrom } from '../../../test/support/random.ts'

type Random = ReturnType<typeof randomFrom>

/** A picture as its `data:` URL, and what is hostile about it. */
export interface HostilePicture {
  readonly kind: string
  readonly href: string
}

/** Pictures that claim more than they are, or that cost more to draw than to write. */
export function hostilePicture(random: Random): HostilePicture {
  const [kind, make] = random.pick(kinds)
  const { type, bytes } = make(random)
  return { kind, href: `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}` }
}

interface Picture {
  readonly type: string
  readonly bytes: Uint8Array
}

const kinds: readonly (readonly [string, (random: Random) => Picture])[] = [
  [
    'a JPEG that claims a size',
    (random) => ({ type: 'jpeg', bytes: jpegOf(sideOf(random), sideOf(random)) }),
  ],
  [
    'a PNG that claims a size',
    (random) => ({ type: 'png', bytes: pngOf(sideOf(random), sideOf(random), random.pick([8, 16]), 40) }),
  ],
  ['a PNG of one bit a pixel', (random) => ({ type: 'png', bytes: oneBitPng(4000 + random.below(4100)) })],
  ['a GIF that claims a size', (random) => ({ type: 'gif', bytes: gifOf(sideOf(random), sideOf(random)) })],
  ['a WebP that claims a size', (random) => ({ type: 'webp', bytes: webpOf(16_383 - random.below(9000)) })],
  ['bytes cut or changed', cutOrChanged],
  ['nested masks', (random) => svgOf(nested('mask', 4 + random.below(30)))],
  ['nested clip paths', (random) => svgOf(nested('clipPath', 4 + random.below(30)))],
  ['patterns in patterns', (random) => svgOf(nested('pattern', 4 + random.below(20)))],
  ['references to references', (random) => svgOf(doubling(4 + random.below(24)))],
  ['groups that need a layer', (random) => svgOf(groups(10 + random.below(150)))],
  ['many dashes', (random) => svgOf(dashes(random.below(1000)))],
  ['many shapes over one another', (random) => svgOf(shapes(50 + random.below(80)))],
  ['a huge canvas', (random) => svgOf('<rect width="100%" height="100%"/>', sideOf(random))],
  ['deep elements', (random) => svgOf(`${'<g>'.repeat(300 + random.below(400))}<path d="M0 0h9"/>`)],
  [
    'a gradient that refers in a circle',
    () =>
      svgOf(
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>',
      ),
  ],
]

function sideOf(random: Random): number {
  return random.pick([1, 2100, 4097, 8100, 16_000, 30_000, 65_500])
}

function jpegOf(width: number, height: number): Uint8Array {
  const size = [height >> 8, height & 255, width >> 8, width & 255]
  const components = [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  const tables = [0xff, 0xdb, 0, 67, 0, ...new Array<number>(64).fill(1)]
  const huffman = [0xff, 0xc4, 0, 20, 0, 1, ...new Array<number>(15).fill(0), 0]
  const scan = [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]
  return Uint8Array.from([
    0xff,
    0xd8,
    ...tables,
    0xff,
    0xc0,
    0,
    17,
    8,
    ...size,
    ...components,
    ...huffman,
    ...scan,
    ...new Array<number>(150).fill(0),
    0xff,
    0xd9,
  ])
}

function pngOf(width: number, height: number, depth: number, dataBytes: number): Uint8Array {
  return pngFrom(width, height, depth, depth === 1 ? 0 : 6, deflateSync(Buffer.alloc(dataBytes)))
}

/** Every row is there: eight megapixels in a few kilobytes. */
function oneBitPng(side: number): Uint8Array {
  const rowBytes = 1 + Math.ceil(side / 8)
  return pngFrom(side, side, 1, 0, deflateSync(Buffer.alloc(rowBytes * side), { level: 9 }))
}

function pngFrom(width: number, height: number, depth: number, colour: number, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colour, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body) >>> 0)
  return Buffer.concat([length, body, checksum])
}

function gifOf(width: number, height: number): Uint8Array {
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  const frame = [0x2c, 0, 0, 0, 0, ...size, 0, 2, 2, 0x4c, 1, 0, 0x3b]
  return Uint8Array.from([...Buffer.from('GIF89a'), ...size, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, ...frame])
}

/** Lossless WebP has its sides in fourteen bits each. */
function webpOf(side: number): Uint8Array {
  const bits = (side - 1) | ((side - 1) << 14)
  const head = Buffer.alloc(5)
  head[0] = 0x2f
  head.writeInt32LE(bits, 1)
  const data = Buffer.concat([head, Buffer.alloc(64)])
  const riff = Buffer.from('RIFF\0\0\0\0WEBPVP8L\0\0\0\0', 'latin1')
  riff.writeUInt32LE(12 + data.length, 4)
  riff.writeUInt32LE(data.length, 16)
  return Buffer.concat([riff, data])
}

function cutOrChanged(random: Random): Picture {
  const whole = jpegOf(sideOf(random), sideOf(random))
  const bytes = Uint8Array.from(whole.subarray(0, 20 + random.below(whole.length - 20)))
  for (let index = 0; index < 6; index++) bytes[4 + random.below(bytes.length - 4)] = random.below(256)
  return { type: 'jpeg', bytes }
}

function svgOf(content: string, side = 24): Picture {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${content}</svg>`
  return { type: 'svg+xml', bytes: Buffer.from(text) }
}

/** Each one is used while the one before it is drawn. */
function nested(element: 'mask' | 'clipPath' | 'pattern', depth: number): string {
  const size = element === 'pattern' ? ' width="1" height="1"' : ''
  const use = { mask: 'mask', clipPath: 'clip-path', pattern: 'fill' }[element]
  const all = Array.from({ length: depth }, (_, index) => {
    const next = index === 0 ? '' : ` ${use}="url(#m${index - 1})"`
    return `<${element} id="m${index}"${size}><rect width="24" height="24"${next}/><rect width="9" height="9"${next}/></${element}>`
  })
  return `${all.join('')}<rect width="24" height="24" ${use}="url(#m${depth - 1})"/>`
}

function doubling(depth: number): string {
  const all = Array.from({ length: depth }, (_, index) =>
    index === 0
      ? '<g id="u0"><rect width="1" height="1"/></g>'
      : `<g id="u${index}"><use href="#u${index - 1}"/><use href="#u${index - 1}" x="1"/></g>`,
  )
  return `${all.join('')}<use href="#u${depth - 1}"/>`
}

function groups(depth: number): string {
  return `${'<g opacity=".9">'.repeat(depth)}<rect width="24" height="24"/>${'</g>'.repeat(depth)}`
}

function dashes(seed: number): string {
  return `<path d="M0 0L${1e7 + seed} 9e6" stroke="#000" stroke-dasharray=".001 .001" stroke-width="${1 + (seed % 9)}"/>`
}

function shapes(count: number): string {
  function shape(index: number) {
    return `<circle cx="${index % 24}" cy="12" r="1e6" fill="#123" opacity=".5"/>`
  }
  return Array.from({ length: count }, (_, index) => shape(index)).join('')
}
