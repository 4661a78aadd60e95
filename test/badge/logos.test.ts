import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { iconBox } from '../../src/badge/icon-box.ts'
import { findIcon } from '../../src/badge/icons.ts'
import { checkImageLogo } from '../../src/badge/image-logo.ts'
import { packageFile } from '../../src/lib/package-files.ts'

const root = 'xmlns="http://www.w3.org/2000/svg"'
const svgUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
const png = (bytes: number) =>
  `data:image/png;base64,${Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], bytes).toString('base64')}`

const accepted = [
  ['a small PNG', png(100)],
  ['a PNG of exactly 8 KiB', png(8192)],
  [
    'a drawing',
    svgUrl(`<?xml version="1.0"?><svg ${root} viewBox="0 0 1 1"><!-- x --><path d="M0 0h1v1z"/></svg>`),
  ],
  ['a gradient inside the file', svgUrl(`<svg ${root}><rect fill="url(#a)"/><use href="#b"/></svg>`)],
] as const
for (const [what, href] of accepted) {
  test(`${what} may be a logo`, () => expect(checkImageLogo(href)).toBeUndefined())
}

const refused = [
  ['a PNG over 8 KiB', png(8193)],
  ['another type', 'data:image/bmp;base64,Qk0='],
  ['a page', 'data:text/html;base64,PGI+'],
  ['a picture without base64', 'data:image/png,abc'],
  ['text that says it is a PNG', `data:image/png;base64,${Buffer.from('hello').toString('base64')}`],
  ['quotes after the data', `${png(20)}" onload="x`],
  ['a script', svgUrl(`<svg ${root}><script>1</script></svg>`)],
  ['an event handler', svgUrl(`<svg ${root} onload="x()"/>`)],
  ['a foreign object', svgUrl(`<svg ${root}><foreignObject/></svg>`)],
  ['a prefixed script', svgUrl(`<svg ${root} xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>`)],
  ['a picture from elsewhere', svgUrl(`<svg ${root}><image href="https://x.example/a.png"/></svg>`)],
  ['a reference to elsewhere', svgUrl(`<svg ${root}><use xlink:href="//x.example/a#b"/></svg>`)],
  ['a fill from elsewhere', svgUrl(`<svg ${root}><rect fill="url( 'https://x.example/a#b')"/></svg>`)],
  ['an import', svgUrl(`<svg ${root}><style>@import "x";</style></svg>`)],
  ['an escaped url', svgUrl(`<svg ${root}><rect style="fill:u\\72l(x)"/></svg>`)],
  ['an entity', svgUrl(`<!DOCTYPE svg [<!ENTITY x "y">]><svg ${root}/>`)],
  ['an animation of a link', svgUrl(`<svg ${root}><set attributeName="href" to="javascript:x"/></svg>`)],
  ['another document', svgUrl('<html/>')],
  ['bytes that are not UTF-8', `data:image/svg+xml;base64,${Buffer.from([0x3c, 0xff]).toString('base64')}`],
] as const
for (const [what, href] of refused) {
  test(`${what} is refused as a logo`, () => expect(checkImageLogo(href)).toBeString())
}

test('an icon is found by its slug and by its title', () => {
  expect(findIcon('github')?.d).toStartWith('M12')
  expect(findIcon('Node.js')?.slug).toBe('nodedotjs')
  expect(findIcon('C++')?.slug).toBe('cplusplus')
})

test('no name leads out of the folder of icons', () => {
  for (const name of ['../../etc/passwd', '..%2f', 'github.svg', '/etc/passwd', '', '\0'])
    expect(findIcon(name)).toBeUndefined()
})

test('the box of an icon lies on its square and touches two opposite sides', () => {
  const files = readdirSync(packageFile('simple-icons', 'icons')).filter((_, index) => index % 20 === 0)
  const loose = files.filter((file) => {
    const { x, y, width, height } = iconBox(findIcon(file.replace('.svg', ''))?.d ?? '')
    const inside = x > -0.1 && y > -0.1 && x + width < 24.1 && y + height < 24.1
    return !inside || Math.max(width, height) < 23.5
  })
  // A few icons are drawn smaller than the rules of the set ask for.
  expect(loose.length).toBeLessThan(files.length / 50)
})
