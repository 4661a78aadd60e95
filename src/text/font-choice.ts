import { textMemo, weakMemo } from '../lib/memo.ts'
import { words } from '../lib/words.ts'
import type { BrandFace } from './brand-fonts/brand-font.ts'
import { type Face, facesOf, fontFileFor } from './coverage/lookup.ts'
import type { FontFile } from './font-files.ts'
import type { Family } from './types.ts'

export type HanForm = 'ja' | 'sc' | 'tc' | 'ko'

const hanOrders: Readonly<Record<HanForm, readonly string[]>> = {
  ja: ['ja', 'sc', 'tc', 'ko'],
  sc: ['sc', 'tc', 'ja', 'ko'],
  tc: ['tc', 'sc', 'ja', 'ko'],
  ko: ['ko', 'ja', 'tc', 'sc'],
}
/** Groups of faces for words whose letters a family lacks, its own kind first. Single letters use those that are not wide. */
const families: Readonly<Record<Family, readonly string[]>> = {
  sans: words('sans wide-sans'),
  serif: words('serif more-serif wide-serif sans wide-sans'),
  'serif-italic': words('serif-italic more-serif-italic wide-serif-italic serif wide-serif sans wide-sans'),
  mono: words('mono more-mono wide-mono sans wide-sans'),
}
/** Alphabets that the first serif face lacks: a text with letters of these has one face without it. */
export const otherAlphabets =
  /[\u0370-\u03FF\u0400-\u052F\u1C80-\u1C8F\u1F00-\u1FFF\u2DE0-\u2DFF\uA640-\uA69F]/
const latinSerif = '@fontsource-variable/newsreader'
/** Scripts without a serif face: Latin words and digits among them are in the sans of their text. */
const onlySans =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Ethiopic}\p{Script=Georgian}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Lao}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Telugu}]/u
const cjk = /[\u2E80-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFF}]/u
const ideograph = /\p{Script=Han}/gu
const invisible = /^[\p{Default_Ignorable_Code_Point}]$/u

type Spelling = ReturnType<typeof spellings>

export type FontChoice = ReturnType<typeof createFontChoice>

/** Everything about a text and its style that decides which faces may draw it. */
interface Look {
  readonly family: Family
  /** True for a text with letters of other alphabets in a serif family. */
  readonly isWithoutLatinSerif: boolean
  /** Undefined for a text without ideographs. */
  readonly form: HanForm | undefined
  readonly brand: BrandFace | undefined
}

/** The fonts of a text. Texts of one look share what was found. @param brand stands before all others */
export function fontChoice(
  style: Family,
  text: string,
  lang: string | undefined,
  brand?: BrandFace,
): FontChoice {
  const isSerif = style.startsWith('serif')
  const family = isSerif && onlySans.test(text) ? 'sans' : style
  const isWithoutLatinSerif = isSerif && otherAlphabets.test(text)
  const form = cjk.test(text) ? hanFormOf(text, lang) : undefined
  const choices = choicesOf(brand ?? ours)
  const key = `${family} ${isWithoutLatinSerif} ${form}`
  const choice = choices.get(key) ?? createFontChoice({ family, isWithoutLatinSerif, form, brand })
  choices.set(key, choice)
  return choice
}

const ours = {}
const choicesOf = weakMemo((_owner: BrandFace | typeof ours) => new Map<string, FontChoice>())

function createFontChoice({ family, isWithoutLatinSerif, form, brand }: Look) {
  const isSerif = family.startsWith('serif')
  const orders = hanOrders[form ?? 'sc']
  const han = isSerif ? [...orders.map((order) => `serif-${order}`), ...orders] : orders
  const scripts = isSerif ? ['serif-scripts', 'scripts'] : ['scripts']
  const rest = form === undefined ? [...scripts, 'symbols', ...han] : [...scripts, ...han, 'symbols']
  const own = brand === undefined ? [] : [[brand]]
  const kinds = families[family]
  const narrow = kinds.filter((kind) => !kind.startsWith('wide'))
  const groups = [...own, ...[...narrow, ...rest, 'rare', ...kinds].map(facesIn)]
  const reversed = groups.toReversed()
  const hanMarks = [...(brand?.isHan ? own : []), ...han.map(facesIn)].flat()
  const faces = [...own, ...kinds.map(facesIn)].flat()
  const all = groups.flat()

  function facesIn(group: string): readonly Face[] {
    return facesOf(group).filter(({ packageName }) => !isWithoutLatinSerif || packageName !== latinSerif)
  }

  function first(among: readonly Face[], point: number): FontFile | undefined {
    return found(among, (face) => face.filesFor(point)[0])
  }

  function findGrapheme(grapheme: string): FontFile | undefined {
    const base = codePoint(grapheme)
    const isSingle = grapheme.length === (base > 0xffff ? 2 : 1)
    const single = isSingle ? first(all, base) : undefined
    if (single !== undefined || (isSingle && grapheme.normalize('NFD') === grapheme)) return single
    const spelling = spellings(grapheme)
    return (
      found(groups, (group) => fontOfAll(group, spelling, false)) ??
      found(reversed, (group) => fontOfAll(group, spelling, true)) ??
      first(all, spelling.points[0] ?? base)
    )
  }

  const ofGrapheme = textMemo(
    (grapheme) => ({ file: findGrapheme(grapheme) }),
    graphemeUnitsMax,
    graphemesMax,
  )
  return {
    /** Marks that Latin and Chinese share may be those of Han fonts. */
    hasHanMarks: form !== undefined && form !== 'ko',
    /** A mark in Chinese or Japanese context. Japanese fonts have narrow quotation marks, which are Latin ones. */
    ofHanMark: (mark: string): FontFile | undefined =>
      (form === 'ja' && /[“”]/.test(mark) ? undefined : first(hanMarks, codePoint(mark))) ??
      findGrapheme(mark),
    ofGrapheme: (grapheme: string): FontFile | undefined => ofGrapheme(grapheme).file,
    /** The font for a word of one letter, a UTF-16 unit. */
    ofLetter: (letter: string): FontFile | undefined =>
      first(faces, codePoint(letter)) ?? findGrapheme(letter),
    /** Fonts for the graphemes of a word: all of the first face that has all of them, where there is one. */
    ofWord(graphemes: readonly string[]): readonly (FontFile | undefined)[] {
      const [only = ''] = graphemes
      if (graphemes.length === 1 && only.length === 1) return [this.ofLetter(only)]
      const word = graphemes.map(spellings)
      return (
        found(faces, (face) => inFace(face, word, false)) ??
        found(faces.toReversed(), (face) => inFace(face, word, true)) ??
        graphemes.map(this.ofGrapheme)
      )
    },
  }
}

/** Limits of the graphemes whose fonts one look remembers: callers may write them with hundreds of marks. */
const [graphemesMax, graphemeUnitsMax] = [1024, 16]

/** @param isLoose whether marks may stand beside their letters: that is better than no marks. */
function inFace(face: Face, word: readonly Spelling[], isLoose: boolean) {
  const files = word.map((spelling) => fontOfAll([face], spelling, isLoose))
  return files.every((file, at) => file !== undefined || word[at]?.points.length === 0) ? files : undefined
}

/** The visible characters of a grapheme as they are written, and taken apart: a font composes letters with marks. */
function spellings(grapheme: string) {
  const visible = Array.from(grapheme).filter((character) => !invisible.test(character))
  const parts = visible.length === 0 ? [] : Array.from(visible.join('').normalize('NFD'), codePoint)
  return { points: visible.map(codePoint), parts }
}

/** The font of a group that has all of a grapheme and places its marks. */
function fontOfAll(faces: readonly Face[], spelling: Spelling, isLoose: boolean): FontFile | undefined {
  const starts = new Set([spelling.points[0] ?? 0, spelling.parts[0] ?? 0])
  return found([...starts], (point) =>
    found(faces, (face) => face.filesFor(point).find((file) => hasAll(face, file, spelling, isLoose))),
  )
}

function hasAll(face: Face, file: FontFile, { points, parts }: Spelling, isLoose: boolean): boolean {
  const has = (point: number) => face.filesFor(point).includes(file)
  if (!points.every(has) && !parts.every(has)) return false
  if (isLoose || (points.length === 1 && has(points[0] ?? 0))) return true
  // Each mark finds its place on what the font makes of the letter and the other marks.
  const [letter = 0, ...marks] = parts
  return marks.every((mark, index) => {
    const composed = codePoint(String.fromCodePoint(letter, ...marks.toSpliced(index, 1)).normalize('NFC'))
    const base = has(composed) ? composed : letter
    return !has(base) || face.placesMark(file, base, mark)
  })
}

/** The shapes of Han characters that a text wants: by its language, else its own script, else simplified Chinese. */
function hanFormOf(text: string, lang: string | undefined): HanForm {
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

function found<From, T>(all: readonly From[], find: (one: From) => T | undefined): T | undefined {
  for (const one of all) {
    const value = find(one)
    if (value !== undefined) return value
  }
  return undefined
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}
