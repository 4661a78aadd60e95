import { deflateSync } from 'node:zlib'
import {
  chunk,
  extendedWebp,
  frameControl,
  gif,
  jpegHeader,
  lossless,
  many,
  plainPng,
  pngHeader,
  pngOf,
  svgOf,
  webp,
  withProfile,
} from '../../support/pictures.ts'
import { randomFrom } from '../../support/random.ts'

export interface HostilePicture {
  readonly kind: string
  readonly href: string
}

type Random = ReturnType<typeof randomFrom>
type Make = (random: Random) => { readonly type: string; readonly bytes: Uint8Array }

/** Pictures that lie about their size, hold more than they show, or multiply: the same ones for the same seed. */
export function hostilePictures(seed: number, count: number): readonly HostilePicture[] {
  const random = randomFrom(seed)
  const kinds = Object.entries(makers)
  return Array.from({ length: count }, (_, index) => {
    const [kind, make] = kinds[index % kinds.length] ?? ['', makers.pngBomb]
    const { type, bytes } = make(random)
    return { kind, href: `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}` }
  })
}

const shape = '<path d="M0 0h99v99H0z"/>'
function svg(body: string, attributes?: string) {
  return { type: 'svg+xml', bytes: svgOf(body, attributes) }
}
function png(bytes: Buffer) {
  return { type: 'png', bytes }
}
function jpeg(bytes: Buffer) {
  return { type: 'jpeg', bytes }
}

/** SVGs by what is in them. */
const bodies: Readonly<Record<string, (random: Random) => string>> = {
  nestedMasks: (r) => chain('mask', 'mask', 2 + r.below(23)),
  nestedClips: (r) => chain('clipPath', 'clip-path', 2 + r.below(23)),
  nestedPatterns: (r) => chain('pattern', 'fill', 1 + r.below(23)),
  usesOfUses: (r) =>
    `<g id="u0">${shape}</g>${many(2 + r.below(30), (i) => `<g id="u${i + 1}"><use xlink:href="#u${i}"/><use href="#u${i}"/></g>`)}`,
  usesThroughPrefix: (r) =>
    `<g xmlns:q="http://www.w3.org/1999/xlink"><g id="u0">${shape}</g>${many(2 + r.below(20), (i) => `<g id="u${i + 1}"><use q:href="#u${i}"/><use q:href="#u${i}"/></g>`)}</g>`,
  usesOfMuch: (r) =>
    `<g id="a">${many(100 + r.below(50), () => shape)}</g>${many(150, () => '<use href="#a"/>')}`,
  usesInMasks: (r) =>
    `<g id="a">${many(30 + r.below(50), () => shape)}</g><mask id="m">${many(40, () => '<use href="#a"/>')}</mask>${many(60, () => `<path mask="url(#m)" d="M0 0h99v99z"/>`)}`,
  circle: () => '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#a"/>',
  manyLayers: (r) => many(60 + r.below(60), () => `<g opacity=".5">${shape}</g>`),
  nestedLayers: (r) => {
    const depth = 9 + r.below(140)
    return many(depth, () => '<g opacity=".9">') + shape + many(depth, () => '</g>')
  },
  nestedGroups: (r) => {
    const depth = 30 + r.below(1_000)
    return many(depth, () => '<g>') + shape + many(depth, () => '</g>')
  },
  maskByStyle: (r) =>
    `<style>*{mask:url(#m)}</style><mask id="m">${shape}</mask>${many(20 + r.below(99), () => shape)}`,
  maskByClass: (r) =>
    `<style>g .a , .b{ opacity:.5;/**/mask : url( "#m" ) }</style><mask id="m">${many(60, () => '<path class="a" d="M0 0h9"/>')}</mask>${many(20 + r.below(99), () => '<g><path class="a b" d="M0 0h99v99z"/></g>')}`,
  maskBehindQuote: (r) =>
    `<mask id="m">${shape}</mask>${many(60 + r.below(20), () => `<g style="a:'/*';mask:url(#m);b:'*/'">${shape}</g>`)}`,
  blending: (r) =>
    many(60 + r.below(40), () => `<g style="mix-blend-mode:multiply;isolation:isolate">${shape}</g>`),
  filters: (r) => `<g ${r.pick(['filter="blur(9999)"', 'style="filter:blur(9999px)"'])}>${shape}</g>`,
  patternTile: (r) =>
    `<pattern id="p" width="${20_000 + r.below(90_000)}" height="30000" patternUnits="userSpaceOnUse">${shape}</pattern><path fill="url(#p)" d="M0 0h99v99z"/>`,
  hugeScale: (r) =>
    `<g transform="scale(1e${r.below(38)})"><path stroke="red" stroke-width="1e9" d="M0 0L1e9 1e9"/></g>`,
  hugeNumbers: (r) =>
    many(
      40,
      () =>
        `<path stroke="red" stroke-width="${r.below(999_999)}" transform="scale(${r.below(999_999)})" d="M0 0C${many(60, () => `${r.below(999_999)}-${r.below(999_999)} `)}"/>`,
    ),
  dashes: (r) =>
    `<path stroke="red" stroke-dasharray="${1 / (1 + r.below(9_999))}" d="M0 0H${1_000 + r.below(99_999)}V9999z"/>`,
  dashedArcs: (r) => `<path stroke="red" stroke-dasharray="1" d="M0 0A1 ${100 + r.below(999)} 0 0 1 100 0"/>`,
  manyElements: (r) => many(250 + r.below(100), () => '<path d="M0 0h99v99"/>'),
  longPath: (r) =>
    `<path stroke="red" stroke-linejoin="round" stroke-width="9" d="M0 0${many(900, () => `L${r.below(100)} ${r.below(100)}`)}"/>`,
  manyStops: (r) =>
    `<radialGradient id="g">${many(10 + r.below(200), (i) => `<stop offset="${i / 250}"/>`)}</radialGradient>${many(90, () => '<path fill="url(#g)" d="M0 0h99v99H0z"/>')}`,
  gradientChain: (r) => {
    const length = 2 + r.below(120)
    return `${many(length, (i) => `<linearGradient id="g${i}" xlink:href="#g${i + 1}"/>`)}<linearGradient id="g${length}"><stop/><stop offset="1"/></linearGradient><path fill="url(#g0)" d="M0 0h99v99z"/>`
  },
  text: (r) => `<text font-size="${r.below(9_999)}">${many(700, () => 'W\u0301\u0302')}</text>`,
  spans: (r) => `<text>${many(100 + r.below(200), () => '<tspan dx="1 2 3">x</tspan>')}</text>`,
  nestedViews: (r) => {
    const depth = 2 + r.below(40)
    return (
      many(depth, () => '<svg viewBox="0 0 9 9" width="99" height="99">') +
      shape +
      many(depth, () => '</svg>')
    )
  },
  symbols: (r) =>
    `<symbol id="s" viewBox="0 0 1 1">${shape}</symbol>${many(100 + r.below(99), () => '<use href="#s" width="9" height="9"/>')}`,
  selectors: (r) =>
    `<style>${many(90, (i) => `${many(6, () => 'g ')}*:not(.x${i}){fill:red}`)}</style>${many(20, () => '<g>')}${many(20 + r.below(60), () => shape)}${many(20, () => '</g>')}`,
  imageInside: () =>
    `<image href="data:image/jpeg;base64,${jpegHeader(65_500, 65_500).toString('base64')}"/>`,
  markers: () =>
    `<marker id="m" markerWidth="9999">${shape}</marker><path marker-mid="url(#m)" d="M0 0${many(900, () => 'h1')}"/>`,
}

const makers = {
  pngBomb: (r) => png(plainPng(2_001 + r.below(60_000), 2_001 + r.below(6_000), 1, 0)),
  pngAtTheLimit: (r) => png(plainPng(1_990 + r.below(11), 2_000, r.pick([1, 8]), 0, r.below(2))),
  pngDeep: (r) => png(plainPng(800 + r.below(1_200), 1_000, 16, r.pick([0, 2, 4, 6]), r.below(2))),
  pngHeaderTwice: (r) =>
    png(
      pngOf(
        pngHeader(10, 10, 8, 2, 0),
        pngHeader(60_000, 60_000, 8, 2, 0),
        chunk('IDAT', deflateSync(Buffer.alloc(310 + r.below(9)))),
      ),
    ),
  pngAnimated: (r) =>
    png(
      pngOf(
        pngHeader(2_000, 2_000, 1, 0, 0),
        chunk('acTL', Buffer.alloc(8, 1)),
        ...Array.from({ length: 20 + r.below(80) }, () => chunk('fcTL', frameControl(2_000, 2_000))),
        chunk('IDAT', deflateSync(Buffer.alloc(251 * 2_000), { level: 9 })),
      ),
    ),
  pngProfileBomb: () => png(withProfile(deflateSync(Buffer.alloc(7_000_000), { level: 9 }))),
  pngCut: (r) => png(plainPng(100, 100).subarray(0, 8 + r.below(120))),
  pngTurned: (r) => png(flip(plainPng(50, 50), r)),
  jpegLies: (r) => jpeg(jpegHeader(r.pick([65_500, 65_535, 9_000]), 9_000 + r.below(56_000))),
  jpegProgressive: (r) => jpeg(jpegHeader(2_000, 2_000, 0xc2, 5 + r.below(400))),
  jpegAtTheLimit: (r) => jpeg(jpegHeader(1_999, 2_000 - r.below(9), r.pick([0xc0, 0xc1, 0xc2, 0xc3, 0xc9]))),
  jpegTwoFrames: (r) =>
    jpeg(
      Buffer.concat([jpegHeader(9, 9).subarray(0, -18), jpegHeader(60_000, 60_000 - r.below(9)).subarray(2)]),
    ),
  jpegNoHeight: () => jpeg(jpegHeader(60_000, 0)),
  jpegTurned: (r) => jpeg(flip(jpegHeader(300, 300), r)),
  gifLies: (r) => ({ type: 'gif', bytes: gif(65_535, 65_535 - r.below(9), [[65_535, 60_000]]) }),
  gifFrameOutside: (r) => ({ type: 'gif', bytes: gif(10, 10, [[2_000 + r.below(60_000), 60_000]]) }),
  gifManyFrames: (r) => ({
    type: 'gif',
    bytes: gif(
      2_000,
      2_000,
      Array.from({ length: 100 + r.below(200) }, () => [2_000, 2_000] as const),
    ),
  }),
  gifTurned: (r) => ({ type: 'gif', bytes: flip(gif(300, 300, [[300, 300]]), r) }),
  webpLies: (r) => ({ type: 'webp', bytes: webp('VP8L', lossless(16_384, 16_384 - r.below(9))) }),
  webpExtended: (r) => ({ type: 'webp', bytes: extendedWebp(2 ** 24 - 1, 2 ** 8 + r.below(2 ** 23)) }),
  webpContradicts: (r) => ({ type: 'webp', bytes: extendedWebp(10 + r.below(99), 10) }),
  otherType: (r) => ({ type: r.pick(['png', 'gif', 'webp']), bytes: jpegHeader(65_500, 65_500) }),
  noise: (r) => ({
    type: r.pick(['png', 'jpeg', 'gif', 'webp', 'svg+xml']),
    bytes: noise(r, 1 + r.below(6_000)),
  }),
  polyglot: (r) => ({ type: 'gif', bytes: Buffer.concat([gif(9, 9, [[9, 9]]), svgOf(shape), noise(r, 99)]) }),

  hugeView: (r) => svg(shape, `width="1e${r.below(20)}" height="1e9" viewBox="0 0 1e-${r.below(9)} 1e-9"`),
  ...Object.fromEntries(Object.entries(bodies).map(([kind, body]) => [kind, (r: Random) => svg(body(r))])),
  entities: () => ({
    type: 'svg+xml',
    bytes: Buffer.from(
      '<!DOCTYPE svg [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
    ),
  }),
  svgTurned: (r) => ({ type: 'svg+xml', bytes: flip(svgOf(chain('mask', 'mask', 4)), r) }),
} satisfies Record<string, Make>

/** Elements of one kind that each refer to the next one twice. */
function chain(element: string, attribute: string, length: number): string {
  function link(i: number) {
    return `<g ${attribute}="url(#c${i})">${shape}</g>`
  }
  const links = many(length, (i) => `<${element} id="c${i}">${link(i + 1)}${link(i + 1)}</${element}>`)
  return `${links}<${element} id="c${length}">${shape}</${element}>${link(0)}`
}

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

function flip(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  for (let left = 1 + random.below(8); left > 0; left--)
    changed[random.below(changed.length)] = random.below(256)
  return changed
}
