import { brotliDecompressSync } from 'node:zlib'
import { insideTerms, penalties } from './break-penalties.ts'
import { packedModel } from './phrases/model.generated.ts'

export const cjk = /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]/u
const kana = /[\u3041-\u3096\u30A1-\u30FC]/
const hiraganaAtEnd = /[\u3041-\u3096]$/
const hiraganaAtStart = /^[\u3041-\u3096]/
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const stop = /[、。，．！？：；…]/
const closing = /[」』）】》〉”’]/
const digit = /[\p{Nd}%％]/u
/** A Latin name before a number, which makes one name with it: `WWDC 2027`. */
const latinName = /(?:^|[^A-Za-z0-9])[A-Z][A-Za-z]* ?[\d.]+$/
/** Signs that make one number with the digits before them. */
const multiplier = /[\p{Nd}.][十百千万億兆萬亿]+$/u
const hanNumeral = /^[一二三四五六七八九十百千万萬亿億两兩几幾半数數每第各]+$/u
/** Chinese words of one sign that belong to the word before: structural and final particles, aspects, localizers. */
const chineseEnclitic =
  /^[的地得了着著过過吗嗎呢吧啊呀嘛啦喔哦们們么麼之等上下中里裡内內外前后後间間时時起来來]$/u
/** Signs that make a noun of the word before: they are half a word. */
const suffix =
  /^[者化性率力学學家员員部队隊期度型式版类類级級界法论論机機器费費号號章节節料业業感症术術线線品物店站区區市县縣省国國语語代長长库庫馆館院厂廠证證码碼网網师師史岛島湖江河寺桥橋镇鎮]$/u
/** Chinese words of one sign that belong to what follows: adverbs, prepositions, conjunctions. */
const chineseProclitic =
  /^[不没沒很最更太也都就还還再又只在从從向对對把被将將以为為由让讓给給比和与與或及跟而是有要会會能可该該请請第每各这這那该本新老小大]$/u

/** Signs with which hardly a word starts: in `はずれ` the model takes the first one for a particle. */
const insideOnly = /[ずづぢるれろんっゃゅょぁぃぅぇぉゎ]/
/** Japanese particles that take another one behind them, which the model of phrases takes for a word of its own. */
const caseParticle = /^(?:から|まで|より|だけ|ほど|など|ばかり|くらい|ぐらい|のみ|へ|と)$/
const topicParticle = /^(?:でも|では|にも|とも|のは|は|も|の|に|を|が|で|か|だ|です)$/

/** Rates breaks in a text with Han characters or kana: before phrases in Japanese, between words in Chinese. */
export function createEastAsianJudge(text: string, lang: string | undefined) {
  const words = wordsOf(text)
  const isJapanese = kana.test(text) ? !/^zh\b/i.test(lang ?? '') : /^ja\b/i.test(lang ?? '')
  const phrases = isJapanese ? phraseStarts(text) : undefined
  const terms = isJapanese ? undefined : insideTerms(text)
  return (offset: number): number => {
    const before = text[offset - 1] ?? ''
    if (stop.test(before)) return penalties.space
    const after = words.startingAt.get(offset)
    const isPhrase = phrases?.has(offset) ?? false
    if (splitsNumber(text, offset, after, isPhrase)) return penalties.number
    // Where the dictionary of words and the model of phrases disagree, the one is right about Han and the other about kana.
    if (after === undefined)
      return isPhrase && hiraganaAtEnd.test(before) && !insideOnly.test(text[offset] ?? '')
        ? penalties.phrase
        : penalties.insideWord
    if (terms?.has(offset)) return penalties.bound
    return phrases === undefined
      ? chinesePenalty(before, words.endingAt.get(offset) ?? '', after)
      : japanesePenalty(before, words.endingAt.get(offset) ?? '', after, isPhrase)
  }
}

function wordsOf(text: string) {
  const startingAt = new Map<number, string>()
  const endingAt = new Map<number, string>()
  for (const { index, segment } of segmenter.segment(text)) {
    startingAt.set(index, segment)
    endingAt.set(index + segment.length, segment)
  }
  return { startingAt, endingAt }
}

function splitsNumber(text: string, offset: number, after: string | undefined, isPhrase: boolean): boolean {
  const before = text.slice(Math.max(0, offset - 6), offset)
  const next = text[offset] ?? ''
  if (digit.test(next)) return /[第约約近超]$/u.test(before)
  if (!cjk.test(next)) return false
  if (digit.test(before.at(-1) ?? ''))
    return (
      (after?.length ?? 0) < 2 || !(isPhrase || latinName.test(text.slice(Math.max(0, offset - 24), offset)))
    )
  return multiplier.test(before) && !isPhrase
}

function japanesePenalty(before: string, last: string, word: string, isPhrase: boolean): number {
  if (isPhrase)
    return caseParticle.test(last) && topicParticle.test(word) ? penalties.particle : penalties.phrase
  if (before === '・') return penalties.punctuation
  if (hiraganaAtStart.test(word)) return penalties.particle
  if (closing.test(before)) return penalties.space
  if (hiraganaAtEnd.test(before) && !/^[おご]$/.test(last)) return penalties.punctuation
  return word.length === 1 || last.length === 1 ? penalties.insideWord : penalties.compound
}

function chinesePenalty(before: string, last: string, word: string): number {
  if (chineseEnclitic.test(word)) return penalties.particle
  if (closing.test(before)) return penalties.space
  if (word.length === 1 && hanNumeral.test(last)) return penalties.number
  if (suffix.test(word)) return penalties.insideWord
  if (chineseProclitic.test(last)) return penalties.article
  return word.length === 1 && last.length === 1 ? penalties.compound : penalties.word
}

/** The letters of each kind of feature: their number, and where the first of its features starts beside a boundary. `UW2` starts one later. */
const spans: Readonly<Record<string, readonly [length: number, first: number]>> = {
  UW: [1, -3],
  BW: [2, -2],
  TW: [3, -3],
}

let model: ReturnType<typeof unpack> | undefined

/** Offsets at which Japanese phrases (bunsetsu) start: the weights of the letters around decide, integers, so engines agree. */
export function phraseStarts(text: string): ReadonlySet<number> {
  model ??= unpack()
  const { features, base } = model
  const starts = new Set<number>()
  for (let at = 1; at < text.length; at++) {
    let score = base
    for (const { from, to, weights } of features) {
      if (at + from >= 0) score += weights.get(text.slice(at + from, at + to)) ?? 0
    }
    if (score > 0) starts.add(at)
  }
  return starts
}

function unpack() {
  const json = brotliDecompressSync(Buffer.from(packedModel, 'base64')).toString()
  /** Weight of each letter or group of letters at a distance from a boundary, by the names of the features. */
  const groups: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(json)
  const features = Object.entries(groups).map(([name, group]) => {
    const [length, first] = spans[name.slice(0, 2)] ?? [0, 0]
    const from = first + Number(name.slice(2)) - 1
    return { from, to: from + length, weights: new Map(Object.entries(group)) }
  })
  const sum = Object.values(groups)
    .flatMap((group) => Object.values(group))
    .reduce((total, weight) => total + weight, 0)
  return { features, base: -sum / 2 }
}
