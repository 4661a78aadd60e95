import { expect, test } from 'bun:test'
import { sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { cards } from './corpus.ts'

const people = 'Ada Lovelace, Grace Hopper, Alan Turing, Margaret Hamilton, Katherine Johnson'
const lengths = [
  people,
  'Ada Lovelace, Grace Hopper, Alan Turing und 2 weitere',
  'Ada Lovelace, Grace Hopper und 3 weitere',
  'Ada Lovelace und 4 weitere',
].map((text) => text.length)

test('several authors are whole, or as many as fit and the number of the others, in the language of the card', async () => {
  for (const theme of themeNames)
    for (const size of sizeNames)
      for (const footer of [undefined, 'Harbour Ltd. · Since 1949']) {
        const params = { title: 'Hallo', author: people, url: 'harbour.dev', lang: 'de', theme, size }
        const brand = footer === undefined ? undefined : { key: 'harbour@1', footer }
        const { texts } = await cards.composed({ params, ...(brand && { brand }) })
        const author = texts.find(({ role }) => role === 'author')
        expect(author?.fitted.truncated, `${theme} ${size}`).toBeFalse()
        // The text that was set is known by its length.
        expect(lengths, `${theme} ${size}`).toContain(author?.fitted.lines.at(-1)?.end ?? 0)
      }
})
