import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import type { Family } from './types.ts'

export type HanForm = 'ja' | 'sc' | 'tc' | 'ko'

const hanOrders: Readonly<Record<HanForm, readonly string[]>> = {
  ja: ['ja', 'sc', 'tc', 'ko'],
  sc: ['sc', 'tc', 'ja', 'ko'],
  tc: ['tc', 'sc', 'ja', 'ko'],
  ko: ['ko', 'ja', 'tc', 'sc'],
}
const families: Readonly<Record<Family, readonly string[]>> = {
  sans: ['sans'],
  serif: ['serif', 'sans'],
  'serif-italic': ['serif-italic', 'serif', 'sans'],
  mono: ['mono', 'sans'],
}
const cjk = /[\u2E80-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFF}]/u
const ideograph = /\p{Script=Han}/gu
const invisible = /^[\p{Default_Ignorable_Code_Point}]$/u

/** The font that has every visible character of a grapheme, else the one for its base, else undefined. */
export type FontChoice = (grapheme: string) => FontFile | undefined

/** Chooses fonts for the graphemes of one text. */
export function createFontChoice(family: Family, text: string, lang: string | undefined): FontChoice {
  const ideographic = cjk.test(text)
  const han = ideographic ? hanOrders[hanFormOf(text, lang)] : hanOrders.sc
  const rest = ideographic ? ['scripts', ...han, 'symbols'] : ['scripts', 'symbols', ...han]
  const groups = [...families[family], ...rest]
  return (grapheme) => {
    const base = codePoint(grapheme)
    if (grapheme.length === (base > 0xffff ? 2 : 1)) return first(groups, base)
    const points = [...grapheme].filter((character) => !invisible.test(character)).map(codePoint)
    for (const group of groups) {
      const file = fontFileFor(group, points[0] ?? base)
      if (file !== undefined && points.every((point) => fontFileFor(group, point) === file)) return file
    }
    return first(groups, points[0] ?? base)
  }
}

/** Which shapes of Han characters a text wants: its language, else its own script, else simplified Chinese. */
export function hanFormOf(text: string, lang: string | undefined): HanForm {
  const tag = lang?.toLowerCase() ?? ''
  if (/^ja\b/.test(tag)) return 'ja'
  if (/^ko\b/.test(tag)) return 'ko'
  if (/^(zh|yue)\b.*-(hant|tw|hk|mo)\b|^yue$/.test(tag)) return 'tc'
  if (/^zh\b/.test(tag)) return 'sc'
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  function missing(group: string) {
    return [...text.matchAll(ideograph)].filter(
      ([character]) => fontFileFor(group, codePoint(character)) === undefined,
    ).length
  }
  return missing('sc') > missing('tc') ? 'tc' : 'sc'
}

function first(groups: readonly string[], point: number): FontFile | undefined {
  const owner = groups.find((group) => fontFileFor(group, point) !== undefined)
  return owner === undefined ? undefined : fontFileFor(owner, point)
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}
