import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { checkImageLogo } from '../../../src/assets/badge/query.ts'
import { findIcon } from '../../../src/assets/icons.ts'
import { packageFile } from '../../../src/lib/package-files.ts'
import {
  createPictureDrawer,
  PictureRefused,
  PictureTooLong,
} from '../../../src/raster/picture-process/picture-drawer.ts'
import { pathBounds } from '../../../src/svg/bounds.ts'
import { chunk, gif, jpegHeader, lossless, many, plainPng, webp } from '../../support/pictures.ts'

const pictures = createPictureDrawer()
afterAll(() => pictures.close())

const root = 'xmlns="http://www.w3.org/2000/svg"'
function svgUrl(svg: string) {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
/** An SVG of this content. */
function drawing(body: string, attributes = '') {
  return svgUrl(`<svg ${root}${attributes}>${body}</svg>`)
}
function url(type: string, bytes: Uint8Array) {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
}
function png(bytes: number) {
  const rest = bytes - plainPng(10, 10).length - 12
  const text = chunk('tEXt', Buffer.alloc(rest, 'a'))
  return url('png', Buffer.concat([plainPng(10, 10).subarray(0, 33), text, plainPng(10, 10).subarray(33)]))
}

const accepted = [
  ['a small PNG', png(200)],
  ['a PNG of exactly 8 KiB', png(8192)],
  [
    'a drawing',
    svgUrl(`<?xml version="1.0"?><svg ${root} viewBox="0 0 1 1"><!-- x --><path d="M0 0h1v1z"/></svg>`),
  ],
  ['a PNG of 4 megapixels', url('png', plainPng(2000, 2000, 1, 0))],
  ['a JPEG', url('jpeg', jpegHeader(300, 200))],
  ['a progressive JPEG of ten scans', url('jpeg', jpegHeader(1000, 1000, 0xc2, 10))],
  ['an animated GIF', url('gif', gif(90, 90, Array(50).fill([90, 90])))],
  ['a WebP', url('webp', webp('VP8L', lossless(300, 200)))],
  [
    'what editors write: styles by class, a clip path that uses a shape, a mask, a blend, nested groups',
    drawing(
      `<style type="text/css">.st0{clip-path:url(#C_1_);} .st1{fill:#fff;opacity:.5} .st2{mix-blend-mode:multiply}</style><defs><rect id="B" width="512" height="512"/><clipPath id="C_1_"><use xlink:href="#B"/></clipPath><mask id="m" fill="#fff"><use href="#B"/></mask></defs><g class="st0"><g><g mask="url(#m)">${many(30, () => '<path class="st1" d="M1 2c3 4 5 6 7 8z"/>')}</g></g></g><g class="st2"><path d="M0 0h9"/></g>`,
      ' viewBox="0 0 512 512" style="enable-background:new 0 0 512 512"',
    ),
  ],
  [
    'gradients that share their stops, dashes',
    drawing(
      `<linearGradient id="a"><stop/><stop offset="1"/></linearGradient><linearGradient id="b" xlink:href="#a"/><radialGradient id="c" xlink:href="#b"/><circle r="30" fill="url(#c)" stroke="red" stroke-dasharray="4 2"/>`,
      ' viewBox="0 0 64 64"',
    ),
  ],
  ['a gradient inside the file', drawing(`<rect fill="url(#a)"/><use href="#b"/>`)],
] as const
for (const [what, href] of accepted) {
  test(`${what} may be a logo`, () => expect(checkImageLogo(href)).toBeUndefined())
}

const refused = [
  ['a PNG of more than 4 megapixels', url('png', plainPng(2000, 2001, 1, 0))],
  ['a JPEG that says it has 65500 by 65500 pixels', url('jpeg', jpegHeader(65_500, 65_500))],
  [
    'a JPEG that goes through 4 megapixels for every twelve bytes',
    url('jpeg', jpegHeader(2000, 2000, 0xc2, 400)),
  ],
  ['a GIF with a frame outside of it', url('gif', gif(9, 9, [[900, 900]]))],
  ['a GIF of many large frames', url('gif', gif(2000, 2000, Array(300).fill([2000, 2000])))],
  ['a picture that is cut off', url('png', plainPng(10, 10).subarray(0, 40))],
  ['a picture of another type', url('webp', plainPng(10, 10))],
  ['a use of itself', drawing(`<g id="a"><use href="#a"/></g>`)],
  [
    'a use behind a prefix of its own',
    svgUrl(`<svg ${root} xmlns:q="http://www.w3.org/1999/xlink"><g id="a"><use q:href="#a"/></g></svg>`),
  ],
  ['an id behind a second one', drawing(`<g id="a" q:id="b"><use href="#a"/></g>`)],
  ['a reference to elsewhere behind a prefix', drawing(`<use q:href="https://x.example/a#b"/>`)],
  ['a pattern', drawing(`<pattern id="a" width="90000" height="90000"/>`)],
  ['a thousand groups inside each other', drawing(`${many(600, () => '<g>')}${many(600, () => '</g>')}`)],
  ['a PNG over 8 KiB', png(8193)],
  ['another type', 'data:image/bmp;base64,Qk0='],
  ['a page', 'data:text/html;base64,PGI+'],
  ['a picture without base64', 'data:image/png,abc'],
  ['text that says it is a PNG', `data:image/png;base64,${Buffer.from('hello').toString('base64')}`],
  ['quotes after the data', `${png(200)}" onload="x`],
  ['a script', drawing(`<script>1</script>`)],
  ['an event handler', svgUrl(`<svg ${root} onload="x()"/>`)],
  ['a foreign object', drawing(`<foreignObject/>`)],
  ['a prefixed script', svgUrl(`<svg ${root} xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>`)],
  ['a picture from elsewhere', drawing(`<image href="https://x.example/a.png"/>`)],
  ['a reference to elsewhere', drawing(`<use xlink:href="//x.example/a#b"/>`)],
  ['a fill from elsewhere', drawing(`<rect fill="url( 'https://x.example/a#b')"/>`)],
  ['an import', drawing(`<style>@import "x";</style>`)],
  ['an escaped url', drawing(`<rect style="fill:u\\72l(x)"/>`)],
  ['an entity', svgUrl(`<!DOCTYPE svg [<!ENTITY x "y">]><svg ${root}/>`)],
  ['an animation of a link', drawing(`<set attributeName="href" to="javascript:x"/>`)],
  ['another document', svgUrl('<html/>')],
  ['bytes that are not UTF-8', `data:image/svg+xml;base64,${Buffer.from([0x3c, 0xff]).toString('base64')}`],
] as const
for (const [what, href] of refused) {
  test(`${what} is refused as a logo`, () => expect(checkImageLogo(href)).toBeString())
}

/** SVGs whose work is not told by their elements: the process that draws them ends it. */
const costly = [
  ['a mask that is masked', drawing(`<mask id="a" mask="url(#b)"/><mask id="b"/><g mask="url(#a)"/>`)],
  ['a use of a use', drawing(`<g id="a"/><g id="b"><use href="#a"/></g><use href="#b"/>`)],
  ['two hundred layers', drawing(`${many(200, () => '<g opacity=".5"/>')}`)],
  ['layers inside each other', drawing(`${many(9, () => '<g opacity=".5">')}${many(9, () => '</g>')}`)],
  ['a style that masks everything', drawing(`<style>*{mask:url(#a)}</style><mask id="a"><g/></mask>`)],
  [
    'layers behind a comment that is none',
    drawing(`${many(60, () => `<g style="a:'/*';opacity:.5;b:'*/'"/>`)}`),
  ],
  ['a filter without an element', drawing(`<g style="filter:blur(9px)"/>`)],
  ['short dashes on a long line', drawing(`<path stroke-dasharray=".01" d="M0 0H9999"/>`)],
  ['a huge number', drawing(`<g transform="scale(1e9)"/>`)],
  [
    'a gradient of hundreds of stops',
    drawing(`<linearGradient>${many(300, () => '<stop/>')}</linearGradient>`),
  ],
  [
    'masks of masks by a style sheet',
    drawing(
      `<style>${many(12, (i) => `.m${i}{mask:url(#m${i + 1})}`)}</style>${many(12, (i) => `<mask id="m${i}"><g class="m${i}"/><path class="m${i}" d="M0 0h99v99z"/></mask>`)}<path class="m0" d="M0 0h99v99z"/>`,
    ),
  ],
] as const
test.each(costly)('%s is drawn, or refused in bounded time', async (_, href) => {
  expect(checkImageLogo(href)).toBeUndefined()
  const drawn = await pictures
    .draw({ href, widthPx: 100, heightPx: 14, zoom: 4 }, 'test')
    .catch((error: unknown) => error)
  const isTold = drawn instanceof PictureRefused || drawn instanceof PictureTooLong
  expect(isTold || drawn instanceof Uint8Array).toBe(true)
})

test('an icon is found by its slug and by its title', () => {
  expect(findIcon('github')?.d).toStartWith('M12')
  expect(findIcon('Node.js')?.slug).toBe('nodedotjs')
  expect(findIcon('C++')?.slug).toBe('cplusplus')
})

test("an icon has its brand's colour and the other names of its mark, not those of marks that it replaced", () => {
  expect(findIcon('python')?.brandColor).toBe('#3776ab')
  expect(findIcon('Material UI')?.slug).toBe('mui')
  expect(findIcon('React Native')?.slug).toBe('react')
  expect(findIcon('terraform')?.slug).toBe('terraform')
  expect(findIcon('Twitter')).toBeUndefined()
  expect(findIcon('RStudio')).toBeUndefined()
})

test('no name leads out of the folder of icons', () => {
  for (const name of ['../../etc/passwd', '..%2f', 'github.svg', '/etc/passwd', '', '\0'])
    expect(findIcon(name)).toBeUndefined()
})

test('the box of an icon lies on its square and touches two opposite sides', () => {
  const files = readdirSync(packageFile('simple-icons', 'icons')).filter((_, index) => index % 20 === 0)
  const loose = files.filter((file) => {
    const { left, top, right, bottom } = pathBounds(findIcon(file.replace('.svg', ''))?.d ?? '')
    const inside = left > -0.1 && top > -0.1 && right < 24.1 && bottom < 24.1
    return !inside || Math.max(right - left, bottom - top) < 23.5
  })
  // A few icons are drawn smaller than the rules of the set ask for.
  expect(loose.length).toBeLessThan(files.length / 50)
})
