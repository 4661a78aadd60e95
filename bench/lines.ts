import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { cardSizes } from '../src/assets/og/theme.ts'
import { themeNames } from '../src/assets/og/themes.ts'
import type { Box } from '../src/svg/bounds.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { inkBoxes, isCropped, proportions } from '../test/assets/og/corpus.ts'
import { type BreakSample, breakCorpus, breakFault, breakKinds } from '../test/text/break-corpus.ts'
import { isQuick, type Row, row } from './support/measure.ts'
import { chromiumLines, type Lines, type SetText, satoriLines, satoriTexts } from './support/other-lines.ts'
import { satoriPeer } from './support/peers.ts'
import type { Words } from './support/words.ts'

const themes = ['aurora', 'poster'] as const
const subtitleWidthPx = { aurora: 920, poster: 640 }
const titleWeight = 700
const shortShare = 1 / 3
/** Ink and trailing letter spacing may reach a little beyond the column. */
const wideShare = 1.02
const kinds = ['word', 'particle', 'article', 'number', 'short', 'wide'] as const

/** Breaks that readers of 25 languages would not make: ours, Chromium's balanced ones and satori's, on the same words. */
export async function benchLineBreaks(): Promise<readonly Row[]> {
  const samples = isQuick ? breakCorpus().slice(0, 20) : breakCorpus()
  const [texts, engines] = await engineLines(samples)
  const titles = breakKinds.map(({ title }) => ({ lang: '', title, subtitle: title }))
  const [kindTexts, kindEngines] = await engineLines(titles, true)
  const kindAt = breakKinds.flatMap(({ kind }) => themes.map(() => kind))
  function countMarks(lines: readonly Lines[], kind: string): number {
    const starts = lines.flatMap((line, at) =>
      kindAt[at] === kind ? line.starts.filter((start) => kindTexts[at]?.marks.has(start)) : [],
    )
    return starts.length
  }
  return [
    ...languageRows(texts, engines),
    ...[...new Set(kindAt)].map((kind) => {
      const [ours, chromium, satori] = engines.map((_, engine) => countMarks(kindEngines[engine] ?? [], kind))
      const note = `Chromium ${chromium}, satori ${satori}`
      return row({ what: `Lines that start wrong: ${kind}`, ours: ours ?? Number.NaN, max: 0, note })
    }),
  ]
}

type Engines = readonly [ours: readonly Lines[], chromium: readonly Lines[], satori: readonly Lines[]]

async function engineLines(
  samples: readonly BreakSample[],
  isTitlesOnly = false,
): Promise<[texts: readonly SetText[], engines: Engines]> {
  const own = (await ownLines(samples)).filter(({ text }) => !isTitlesOnly || text.weight === titleWeight)
  const texts = own.map(({ text }) => text)
  return [texts, [own.map(({ lines }) => lines), await chromiumLines(texts), await satoriLines(texts)]]
}

async function ownLines(samples: readonly BreakSample[]) {
  const cards = createCardRenderer(createTextEngine())
  const set: { text: SetText; lines: Lines }[] = []
  for (const { lang, title, subtitle } of samples) {
    for (const theme of themes) {
      const params = { title: title.text, subtitle: subtitle.text, theme, author: 'Ada', url: 'example.com' }
      for (const { role, fitted, widthPx } of (await cards.composed({ params })).texts) {
        if (role !== 'title' && role !== 'subtitle') continue
        const isTitle = role === 'title'
        const text = {
          ...(isTitle ? title : subtitle),
          lang,
          sizePx: fitted.sizePx,
          widthPx: isTitle ? widthPx : Math.min(widthPx, subtitleWidthPx[theme]),
          weight: isTitle ? titleWeight : 400,
        }
        const starts = fitted.lines.slice(1).map(({ start }) => start)
        set.push({ text, lines: { starts, widthsPx: fitted.lines.map((line) => line.widthPx) } })
      }
    }
  }
  return set
}

/** A row a language, and one of all: faults by kind, and fewer of them than either peer makes. */
function languageRows(texts: readonly SetText[], engines: Engines): Row[] {
  return [...new Set(texts.map(({ lang }) => lang)), 'all'].map((language) => {
    const chosen = texts.flatMap(({ lang }, at) => (language === 'all' || lang === language ? [at] : []))
    const counts = engines.map((lines) => countFaults(chosen.map((at) => [texts[at], lines[at]] as const)))
    const [ours = Number.NaN, chromium = 0, satori = 0] = counts.map((faults) =>
      kinds.reduce((sum, kind) => sum + faults[kind], 0),
    )
    const sizePx = chosen.reduce((sum, at) => sum + (texts[at]?.sizePx ?? 0), 0) / chosen.length
    const by = counts.map((faults) => kinds.map((kind) => faults[kind]).join(' '))
    return row({
      what: `Faults in ${language}, mean size ${sizePx.toFixed(1)} px`,
      ours,
      note: `ours ${by[0]}; Chromium ${by[1]}; satori ${by[2]} (${kinds.join(', ')})`,
      max: Math.max(0, Math.min(chromium, satori) - 1),
    })
  })
}

function countFaults(set: readonly (readonly [SetText | undefined, Lines | undefined])[]) {
  const counts = { word: 0, particle: 0, article: 0, number: 0, short: 0, wide: 0 }
  for (const [text, lines] of set) {
    if (text === undefined || lines === undefined) continue
    for (const start of lines.starts) {
      const fault = breakFault(text, start)
      if (fault !== undefined) counts[fault]++
    }
    const { widthsPx } = lines
    counts.wide += widthsPx.filter((widthPx) => widthPx > text.widthPx * wideShare).length
    if (widthsPx.length > 1 && (widthsPx.at(-1) ?? 0) < Math.max(...widthsPx) * shortShare) counts.short++
  }
  return counts
}

/** Languages that Inter has the letters of, because the peer has no other font. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pl', 'cs', 'tr', 'ru', 'el']
const labels = { author: 'Ada Lovelace', url: 'engineering.harbour.example.com' }
const capital = 0.73

/** Words that networks cut: cards of our themes, and satori's card with margins of 84 px, shown in three proportions with round corners. */
export async function benchCrops(): Promise<readonly Row[]> {
  const words = breakCorpus()
    .filter(({ lang }) => languages.includes(lang))
    .slice(0, isQuick ? 5 : undefined)
    .flatMap(({ title, subtitle }) => [
      { title: title.text, subtitle: subtitle.text, ...labels },
      // A title as long as those of papers and of the news.
      { title: `${title.text}: ${subtitle.text}`, subtitle: subtitle.text, ...labels },
    ])
  const own = await ownCards(words)
  const satori = await satoriPeer(false)
  const peer: (readonly Box[])[] = []
  for (const texts of words) peer.push(boxesIn(await satori.svg(texts)))
  return proportions.map(([name, proportion]) => {
    function cutIn(cards: readonly (readonly Box[])[]): number {
      return cards.flat().filter((box) => isCropped(box, cardSizes.og, proportion)).length
    }
    const note = `of ${own.flat().length} lines; satori ${cutIn(peer)} of ${peer.flat().length} words`
    return row({
      what: `Texts cut at ${name}, ${own.length} cards in all themes`,
      ours: cutIn(own),
      note,
      max: 0,
    })
  })
}

/** A box for each line of text: none of its words is cut where it is whole. */
async function ownCards(words: readonly Words[]): Promise<readonly (readonly Box[])[]> {
  const renderer = createCardRenderer(createTextEngine())
  const cards: (readonly Box[])[] = []
  for (const params of words)
    for (const theme of themeNames) {
      const card = await renderer.composed({ params: { ...params, theme, overflow: 'ellipsis' } })
      cards.push(card.texts.flatMap(inkBoxes))
    }
  return cards
}

/** From the capitals to the baseline of each word. */
function boxesIn(svg: string): readonly Box[] {
  return satoriTexts(svg).flatMap(({ text, x, y, width, sizePx }) =>
    text.trim() === '' ? [] : [{ left: x, top: y - capital * sizePx, right: x + width, bottom: y }],
  )
}
