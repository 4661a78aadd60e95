import { Resvg } from '@resvg/resvg-js'
import { readPicture } from '../../../../../src/assets/og/brand/read-upload.ts'
import type { Bitmap } from '../../../../../src/raster/bitmap.ts'
import { encodeJpeg, encodeWebp } from '../../../../../src/raster/encode-lossy.ts'
import { encodePng } from '../../../../../src/raster/encode-png.ts'
import type { PictureDrawer } from '../../../../../src/raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../../../../../src/raster/thread-pool.ts'

/** Made-up logos, each with another part of SVG: by name, what stands in a document with the view box `0 0 100 100`. */
export const exampleLogos: Readonly<Record<string, string>> = {
  rectangle: '<rect x="10" y="20" width="80" height="60" fill="#c00"/>',
  'round corners': '<rect x="10" y="20" width="80" height="60" rx="12" fill="teal"/>',
  'round corners of two radii': '<rect x="10" y="20" width="80" height="60" rx="30" ry="10" fill="#2563eb"/>',
  circle: '<circle cx="50" cy="50" r="40" fill="rgb(12,130,40)"/>',
  ellipse: '<ellipse cx="50" cy="50" rx="45" ry="20" fill="hsl(280 60% 40%)"/>',
  polygon: '<polygon points="50,5 95,95 5,95" fill="orange"/>',
  'polyline, filled': '<polyline points="10 10 90 20 50 90" fill="#345"/>',
  'star that crosses itself': '<polygon points="50,5 79,95 2,38 98,38 21,95" fill="#b00"/>',
  'quadratic curves': '<path d="M10 80Q50 0 90 80T10 80z" fill="navy"/>',
  'smooth curves': '<path d="M10 50C10 10 50 10 50 50S90 90 90 50V95H10z" fill="#444"/>',
  arcs: '<path d="M20 50A30 20 30 1 1 80 50A30 20 30 0 1 20 50z" fill="#7c3aed"/>',
  'relative commands': '<path d="m10 10h80v80h-80zm20 20v40h40v-40z" fill="#0af"/>',
  'even-odd ring': '<path fill-rule="evenodd" d="M10 10H90V90H10zM30 30H70V70H30z" fill="#111"/>',
  'even-odd in three depths':
    '<path style="fill-rule:evenodd" d="M5 5H95V95H5zM20 20H80V80H20zM35 35H65V65H35z" fill="green"/>',
  'even-odd circles':
    '<path fill-rule="evenodd" d="M50 10a40 40 0 1 0 .01 0zM50 30a20 20 0 1 0 .01 0z" fill="#934"/>',
  'even-odd side by side':
    '<path fill-rule="evenodd" d="M5 5H45V45H5zM15 15H35V35H15zM55 55H95V95H55zM65 65H85V85H65z"/>',
  'nested transforms':
    '<g transform="translate(50 50)"><g transform="rotate(30)scale(.8)"><rect x="-40" y="-20" width="80" height="40" fill="#c60"/></g></g>',
  'rotation around a point': '<rect transform="rotate(45, 50 50)" x="25" y="25" width="50" height="50"/>',
  skewed:
    '<rect transform="translate(10 0) skewX(-10) skewY(5)" x="20" y="15" width="50" height="60" fill="#a0a"/>',
  mirrored: '<path transform="matrix(-1 0 0 1 100 0)" d="M10 10L60 50L10 90z" fill="#060"/>',
  'use twice':
    '<defs><circle id="a" r="18"/></defs><use href="#a" x="25" y="50" fill="red"/><use xlink:href="#a" x="75" y="50" fill="blue"/>',
  'use of a group':
    '<g id="a" fill="#222"><rect x="5" y="5" width="20" height="20"/><circle cx="40" cy="15" r="10"/></g><use href="#a" transform="translate(40 60)"/>',
  symbol:
    '<symbol id="s" viewBox="0 0 10 10"><path d="M1 1h8v8H1z"/></symbol><use href="#s" x="20" y="10" width="60" height="80" fill="#d33"/>',
  'classes in a style sheet':
    '<style>.a{fill:#123456}.b{fill:#fa0}</style><rect class="a" width="50" height="100"/><rect class="b" x="50" width="50" height="100"/>',
  'rules by name, class and id':
    '<style>rect{fill:red}.x{fill:lime}#y{fill:blue}</style><rect width="30" height="90" x="2"/><rect class="x" x="34" width="30" height="90"/><rect class="x" id="y" x="66" width="30" height="90"/>',
  'style over attribute':
    '<rect width="90" height="90" x="5" y="5" fill="red" style="fill: #00f; fill-opacity: 1"/>',
  'inherited fill':
    '<g fill="#e11d48"><path d="M10 10h30v80h-30z"/><path d="M60 10h30v80h-30z" fill="inherit"/></g>',
  currentColor: '<g color="#0d9488"><circle cx="50" cy="50" r="45" fill="currentColor"/></g>',
  opacity: '<rect x="5" y="5" width="90" height="90" fill="#000" opacity=".4"/>',
  'opacities multiply': '<g opacity="50%"><path d="M5 5h90v90H5z" fill="#f00" fill-opacity=".5"/></g>',
  'colour with alpha':
    '<circle cx="50" cy="50" r="40" fill="#ff000080"/><rect x="5" y="5" width="30" height="30" fill="rgba(0,0,255,.5)"/>',
  'hidden parts':
    '<rect width="99" height="99" display="none"/><g visibility="hidden"><circle cx="50" cy="50" r="30"/><circle visibility="visible" cx="50" cy="50" r="10"/></g>',
  'line, butt': '<line x1="10" y1="50" x2="90" y2="50" stroke="#000" stroke-width="20"/>',
  'line, round': '<path d="M20 20L80 80" stroke="#c00" stroke-width="20" stroke-linecap="round"/>',
  'line, square': '<path d="M20 20L80 60" stroke="#00c" stroke-width="16" stroke-linecap="square"/>',
  'corner, miter': '<path d="M15 85L50 20L85 85" fill="none" stroke="#000" stroke-width="14"/>',
  'corner beyond the miter limit':
    '<path d="M30 90L50 20L70 90" fill="none" stroke="#000" stroke-width="14" stroke-miterlimit="2"/>',
  'corner, round':
    '<path d="M15 85L50 20L85 85" fill="none" stroke="#080" stroke-width="18" stroke-linejoin="round" stroke-linecap="round"/>',
  'corner, bevel':
    '<polyline points="15,85 50,20 85,85" fill="none" stroke="#808" stroke-width="18" stroke-linejoin="bevel"/>',
  'closed stroke': '<rect x="20" y="20" width="60" height="60" fill="none" stroke="#333" stroke-width="12"/>',
  'closed stroke, round':
    '<polygon points="50,15 85,80 15,80" fill="#ff0" stroke="#f00" stroke-width="12" stroke-linejoin="round"/>',
  'stroked circle': '<circle cx="50" cy="50" r="35" fill="none" stroke="#06c" stroke-width="15"/>',
  'stroked ellipse': '<ellipse cx="50" cy="50" rx="40" ry="20" fill="none" stroke="#06c" stroke-width="10"/>',
  'stroked curve': '<path d="M10 80C10 10 90 10 90 80" fill="none" stroke="#b45309" stroke-width="16"/>',
  'stroked S curve':
    '<path d="M10 50C40 -20 60 120 90 50" fill="none" stroke="#b45309" stroke-width="12" stroke-linecap="round"/>',
  'stroked arc':
    '<path d="M20 70A30 30 0 1 1 80 70" fill="none" stroke="#000" stroke-width="10" stroke-linecap="round"/>',
  'stroke under a transform':
    '<g transform="translate(50 50) scale(2 1)"><circle r="20" fill="none" stroke="#000" stroke-width="6"/></g>',
  'stroke with a sharp turn back': '<path d="M10 50H90H40" fill="none" stroke="#000" stroke-width="10"/>',
  'short pieces':
    '<path d="M10 50l2 1l2 -1l2 1l2 -1l2 1l20 -30l20 60l20 -30" fill="none" stroke="#000" stroke-width="8" stroke-linejoin="round"/>',
  dots: '<path d="M25 50h0M50 50h0M75 50z" stroke="#000" stroke-width="14" stroke-linecap="round"/>',
  'icon with strokes':
    '<g transform="scale(4.16)" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><rect x="3" y="4" width="18" height="17" rx="2"/><path d="M16 2v4M8 2v4M3 10h18"/><circle cx="12" cy="15" r="2"/></g>',
  'fill and stroke':
    '<path d="M20 20H80V80H20z" fill="#fde68a" stroke="#92400e" stroke-width="8" stroke-opacity=".7"/>',
  'several subpaths': '<path d="M10 10h30v30h-30zM60 60h30v30h-30zM60 10L90 40L60 40z" fill="#1e3a8a"/>',
  'line behind a closed subpath': '<path d="M10 10h40v40zL10 90L50 90z" fill="#1e3a8a"/>',
  'numbers without spaces':
    '<path d="M.5.5 99-.0.5.5zM10-0L90 10-.5 90" fill="#831843" transform="translate(3 3) scale(.9)"/>',
  'scientific numbers': '<path d="M1e1 1E1L9e1 10 90 9e+1 10 900e-1z" fill="#14532d"/>',
}

export function logoSvg(body: string, attributes = 'viewBox="0 0 100 100"'): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  )
}

/** The colour of each pixel: three channels, or four of a picture that is transparent. */
type ColorAt = (x: number, y: number) => readonly number[]

export function pictureOf(widthPx: number, heightPx: number, colorAt: ColorAt): Bitmap {
  const channels = colorAt(0, 0).length === 4 ? 4 : 3
  const rows = new Uint8Array((1 + widthPx * channels) * heightPx)
  for (let y = 0, to = 0; y < heightPx; y++) {
    to += 1
    for (let x = 0; x < widthPx; x++, to += channels) rows.set(colorAt(x, y), to)
  }
  return { widthPx, heightPx, channels, rows }
}

export const encoders = {
  jpeg: (bitmap: Bitmap) => encodeJpeg(bitmap, 95),
  png: async (bitmap: Bitmap) => encodePng(bitmap),
  webp: (bitmap: Bitmap) => encodeWebp(bitmap, 95),
} as const

/** A JPEG with Exif data that say how it must be turned, by a writer of either byte order. */
export function withOrientation(jpeg: Uint8Array, orientation: number, isLittle: boolean): Buffer {
  const tiff = Buffer.alloc(26)
  const view = new DataView(tiff.buffer, tiff.byteOffset)
  tiff.write(isLittle ? 'II' : 'MM', 'latin1')
  view.setUint16(2, 42, isLittle)
  view.setUint32(4, 8, isLittle)
  view.setUint16(8, 1, isLittle)
  view.setUint16(10, 0x0112, isLittle)
  view.setUint16(12, 3, isLittle)
  view.setUint32(14, 1, isLittle)
  view.setUint16(18, orientation, isLittle)
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

/** RGBA by resvg. */
export function decodeJpeg(jpeg: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  const size = `width="${widthPx}" height="${heightPx}"`
  const href = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().pixels
}

/** Pixels of a drawing by resvg, on white. */
export function drawOnWhite(svg: string, widthPx: number): Uint8Array {
  const options = { font: { loadSystemFonts: false }, background: 'white', logLevel: 'off' } as const
  return new Resvg(svg, { ...options, fitTo: { mode: 'width', value: widthPx } }).render().pixels
}

/** How far two drawings are from each other: the mean of all channels, and the share of those that differ visibly. */
export function compareDrawings(one: Uint8Array, other: Uint8Array, farMin = 96) {
  if (one.length !== other.length) throw new Error(`${one.length} and ${other.length} bytes of pixels`)
  let sum = 0
  let far = 0
  for (let at = 0; at < one.length; at++) {
    const distance = Math.abs((one[at] as number) - (other[at] as number))
    sum += distance
    if (distance > farMin) far += 1
  }
  return { mean: sum / one.length, farShare: far / one.length }
}

/** Reads a picture, again while the process for pictures is busy or slow to start, as it is where others want the machine. */
export async function readPictureInTurn(
  bytes: Uint8Array,
  pictures: PictureDrawer,
): Promise<Awaited<ReturnType<typeof readPicture>>> {
  for (;;) {
    try {
      return await readPicture(bytes, { pictures, client: 'test' })
    } catch (error) {
      if (!(error instanceof RasterBusy)) throw error
    }
  }
}
