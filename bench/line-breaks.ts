import { createCardRenderer } from '../src/assets/og/card-renderer.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import {
  type BreakFault,
  type BreakSample,
  breakCorpus,
  breakFault,
  breakKinds,
} from '../test/text/break-corpus.ts'
import { chromiumLines } from './support/chromium-lines.ts'
import type { Row } from './support/row.ts'
import { satoriLines } from './support/satori-lines.ts'
import type { Lines, SetText } from './support/set-text.ts'

type Counts = Record<BreakFault | 'short' | 'wide', number>

const themes = ['aurora', 'poster'] as const
const subtitleWidthPx = { aurora: 920, poster: 640 }
const titleWeight = 700
const shortShare = 1 / 3
/** Ink and trailing letter spacing may reach a little beyond the column. */
const wideShare = 1.02
const kinds = ['word', 'particle', 'article', 'number', 'short', 'wide'] as const

/** Breaks that readers of 25 languages would not make: ours, Chromium's balanced ones and satori's, on the same words. */
export async function benchLineBreaks(): Promise<readonly Row[]> {
  const samples = breakCorpus()
  const own = await ownLines(samples)
  const texts = own.map(({ text }) => text)
  const lines = own.map(({ lines }) => lines)
  const isOwnOnly = process.env['OWN_ONLY'] === '1'
  const peers = isOwnOnly ? {} : { Chromium: await chromiumLines(texts), satori: await satoriLines(texts) }
  return [...languageRows(texts, { ours: lines, ...peers }), ...(await kindRows(isOwnOnly))]
}

/** Lines that start where they may not, a row for each kind of fault. */
async function kindRows(isOwnOnly: boolean): Promise<readonly Row[]> {
  const samples = breakKinds.map(({ title }) => ({ lang: '', title, subtitle: title }))
  const own = (await ownLines(samples)).filter(({ text }) => text.weight === titleWeight)
  const texts = own.map(({ text }) => text)
  const engines: Readonly<Record<string, readonly Lines[]>> = {
    ours: own.map(({ lines }) => lines),
    ...(isOwnOnly ? {} : { Chromium: await chromiumLines(texts), satori: await satoriLines(texts) }),
  }
  return [...new Set(breakKinds.map(({ kind }) => kind))].map((kind) => {
    const isOfKind = breakKinds.flatMap((sample) => themes.map(() => sample.kind === kind))
    const counts = Object.entries(engines).map(([name, lines]) => {
      const starts = lines.flatMap((line, at) => (isOfKind[at] ? [[line, texts[at]] as const] : []))
      const count = starts.reduce(
        (sum, [line, text]) => sum + line.starts.filter((at) => text?.marks.has(at)).length,
        0,
      )
      return { name, count }
    })
    const [ours, ...peers] = counts
    return {
      what: `${kind}, ${isOfKind.filter(Boolean).length} titles`,
      ours: String(ours?.count),
      peer: peers.map(({ name, count }) => `${name} ${count}`).join('; '),
      ratio: '',
      target: 'none',
      passed: ours?.count === 0,
    }
  })
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

function languageRows(texts: readonly SetText[], engines: Readonly<Record<string, readonly Lines[]>>): Row[] {
  const languages = [...new Set(texts.map(({ lang }) => lang))]
  return [...languages, 'all'].map((language) => {
    const chosen = texts.flatMap(({ lang }, at) => (language === 'all' || lang === language ? [at] : []))
    const counts = Object.entries(engines).map(([name, lines]) => {
      const faults = countFaults(chosen.map((at) => [texts[at], lines[at]] as const))
      return { name, faults, sum: kinds.reduce((sum, kind) => sum + faults[kind], 0) }
    })
    const [ours, ...peers] = counts.map(({ name, faults, sum }) => ({
      sum,
      shown: `${name} ${kinds.map((kind) => faults[kind]).join(' ')}`,
    }))
    const sizePx = chosen.reduce((sum, at) => sum + (texts[at]?.sizePx ?? 0), 0) / chosen.length
    return {
      what: `${language}, mean size ${sizePx.toFixed(1)} px`,
      ours: ours?.shown.replace('ours ', '') ?? '',
      peer: peers.map(({ shown }) => shown).join('; '),
      ratio: '',
      target: 'below both',
      passed: peers.every(({ sum }) => (ours?.sum ?? 0) < sum || ours?.sum === 0),
    }
  })
}

function countFaults(set: readonly (readonly [SetText | undefined, Lines | undefined])[]): Counts {
  const counts: Counts = { word: 0, particle: 0, article: 0, number: 0, short: 0, wide: 0 }
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
