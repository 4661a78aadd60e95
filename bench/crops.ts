import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { cardSizes } from '../src/assets/og/card-sizes.ts'
import { themeNames } from '../src/assets/og/themes.ts'
import type { Box } from '../src/svg/bounds.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { inkBoxes } from '../test/assets/og/corpus.ts'
import { isCropped, proportions } from '../test/assets/og/cropped.ts'
import { breakCorpus } from '../test/text/break-corpus.ts'
import { satoriPeer, type Words } from './support/peers.ts'
import type { Row } from './support/row.ts'

/** Languages that Inter has the letters of, because the peer has no other font. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pl', 'cs', 'tr', 'ru', 'el']
const size = cardSizes.og
const labels = { author: 'Ada Lovelace', url: 'engineering.harbour.example.com' }
const capital = 0.73

/** Words that networks cut: cards of our themes, and satori's card with margins of 84 px, shown in three proportions with round corners. */
export async function benchCrops(): Promise<readonly Row[]> {
  const words = breakCorpus()
    .filter(({ lang }) => languages.includes(lang))
    .flatMap(({ title, subtitle }) => [
      { title: title.text, subtitle: subtitle.text, ...labels },
      // A title as long as those of papers and of the news.
      { title: `${title.text}: ${subtitle.text}`, subtitle: subtitle.text, ...labels },
    ])
  const own = await ownCards(words)
  const peer = await peerCards(words)
  return proportions.map(([name, proportion]) => {
    const [ours, theirs] = [own, peer].map((cards) => ({
      boxes: cards.flat().length,
      cut: cards.flat().filter((box) => isCropped(box, size, proportion)).length,
      cards: cards.filter((boxes) => boxes.some((box) => isCropped(box, size, proportion))).length,
    })) as [Counts, Counts]
    return {
      what: `texts cut at ${name}, ${own.length} cards in ${themeNames.length} themes`,
      ours: `${ours.cut} of ${ours.boxes} lines`,
      peer: `satori ${theirs.cut} of ${theirs.boxes} words, on ${theirs.cards} of ${peer.length} cards`,
      ratio: '',
      target: 'none',
      passed: ours.cut === 0,
    }
  })
}

interface Counts {
  readonly boxes: number
  readonly cut: number
  readonly cards: number
}

/** A box for each line of text: none of its words is cut where it is whole. */
async function ownCards(words: readonly Words[]): Promise<readonly (readonly Box[])[]> {
  const renderer = createCardRenderer(createTextEngine())
  const cards: (readonly Box[])[] = []
  for (const params of words)
    for (const theme of themeNames)
      cards.push(
        (await renderer.composed({ params: { ...params, theme, overflow: 'ellipsis' } })).texts.flatMap(
          inkBoxes,
        ),
      )
  return cards
}

async function peerCards(words: readonly Words[]): Promise<readonly (readonly Box[])[]> {
  const satori = await satoriPeer(false)
  const cards: (readonly Box[])[] = []
  for (const texts of words) cards.push(boxesIn(await satori.svg(texts)))
  return cards
}

/** From the capitals to the baseline of each word. */
function boxesIn(svg: string): readonly Box[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)</g)].flatMap(([, attributes = '', word = '']) => {
    const [left, bottom, width, sizePx] = ['x', 'y', 'width', 'font-size'].map((name) =>
      Number(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1]),
    ) as [number, number, number, number]
    return word.trim() === '' ? [] : [{ left, top: bottom - capital * sizePx, right: left + width, bottom }]
  })
}
