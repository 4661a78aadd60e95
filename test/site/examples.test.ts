import { expect, test } from 'bun:test'
import { cardSizes, sizeNames } from '../../src/assets/og/card-sizes.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { parseXml } from '../support/xml-tree.ts'

const server = started(startService)

/** Source, width and height of every picture on the page. */
async function picturesOf(): Promise<readonly (readonly string[])[]> {
  const html = await (await fetch(`${server.url}/examples`)).text()
  return Array.from(
    html.matchAll(/<img src="([^"]+)" width="(\d+)" height="(\d+)" alt="[^"]+" loading="lazy"/g),
    (match) => match.slice(1),
  )
}

test('the examples are four brands in four sizes and a card of every theme in both schemes and all sizes, of the extent that the page says', async () => {
  const pictures = await picturesOf()
  const wanted = sizeNames.flatMap((size) =>
    themeNames.flatMap((theme) => ['light', 'dark'].map((scheme) => `card-${size}-${theme}-${scheme}.svg`)),
  )
  const [ofBrands, ofThemes] = [pictures.slice(0, 16), pictures.slice(16)]
  expect(ofBrands.every(([source]) => source?.startsWith('/pictures/brand-'))).toBe(true)
  expect(ofThemes.map(([source]) => source)).toEqual(wanted.map((file) => `/pictures/${file}`))
  const bodies = new Set<string>()
  for (const [source = '', width, height] of pictures) {
    const body = await (await fetch(server.url + source)).text()
    expect(parseXml(body).attributes).toMatchObject({ width, height })
    bodies.add(body)
  }
  expect(bodies.size).toBe(16 + sizeNames.length * themeNames.length * 2)
  expect(Object.keys(cardSizes)).toHaveLength(6)
})

test('one brand stands on a picture', async () => {
  const sources = (await picturesOf()).slice(0, 16).map(([source = '']) => source)
  const bodies = await Promise.all(sources.map(async (source) => (await fetch(server.url + source)).text()))
  const onPictures = sources.filter((_, index) => bodies[index]?.includes('data:image/jpeg;base64,'))
  expect(onPictures).toEqual(
    ['og', 'square', 'portrait', 'pin'].map((size) => `/pictures/brand-orbit-fm-${size}.svg`),
  )
})

test('looking at all of them takes nothing of a quota', async () => {
  for (const [source = ''] of await picturesOf()) await fetch(server.url + source)
  const stats = await (await fetch(`${server.url}/api/stats`)).json()
  expect(stats).toMatchObject({ demo: { used: 0 }, day: { by_endpoint: { og: 0 } } })
})
