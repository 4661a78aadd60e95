import { words } from '../lib/words.ts'
import type { BrandFace } from './brand-fonts/brand-font.ts'
import { facesOf, fontFileFor, fontFilesFor, placesMark } from './coverage/lookup.ts'
import type { FontFile } from './font-files.ts'
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
  serif: ['serif', 'more-serif', 'sans'],
  'serif-italic': ['serif-italic', 'more-serif-italic', 'serif', 'sans'],
  mono: ['mono', 'more-mono', 'sans'],
}
/** Words go here whose letters the family lacks: to a face of its kind before one of another. */
const wordFamilies: Readonly<Record<Family, readonly string[]>> = {
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

interface Face {
  readonly group: string
  readonly packageName: string
}

type Spelling = ReturnType<typeof spellings>

const ours = { filesFor: fontFilesFor, placesMark }
/** Tells of our own fonts, or of these behind a brand's. */
type Lookup = typeof ours

const brandGroup = 'brand'

/** @param brand stands before all others */
export function createFontChoice(style: Family, text: string, lang: string | undefined, brand?: BrandFace) {
  const isSerif = style.startsWith('serif')
  const family = isSerif && onlySans.test(text) ? 'sans' : style
  const isWithoutLatinSerif = isSerif && otherAlphabets.test(text)
  const plain = isWithoutLatinSerif ? withoutFace(latinSerif) : ours
  const lookup = brand === undefined ? plain : behind(brand, plain)
  const ideographic = cjk.test(text)
  const form = ideographic ? hanFormOf(text, lang) : 'sc'
  const orders = hanOrders[form]
  const han = family.startsWith('serif') ? [...orders.map((order) => `serif-${order}`), ...orders] : orders
  const scripts = family.startsWith('serif') ? ['serif-scripts', 'scripts'] : ['scripts']
  const rest = ideographic ? [...scripts, ...han, 'symbols'] : [...scripts, 'symbols', ...han]
  const own = brand === undefined ? [] : [brandGroup]
  const groups = [...own, ...families[family], ...rest, 'rare', ...wordFamilies[family]]
  const hanMarks = brand?.isHan ? [brandGroup, ...han] : han
  const faces = wordFamilies[family].flatMap((group) =>
    facesOf(group)
      .filter((packageName) => !isWithoutLatinSerif || packageName !== latinSerif)
      .map((packageName): Face => ({ group, packageName })),
  )
  if (brand !== undefined) faces.unshift({ group: brandGroup, packageName: brand.file.packageName })

  function first(among: readonly string[], point: number): FontFile | undefined {
    return found(among, (group) => lookup.filesFor(group, point)[0])
  }

  function ofGrapheme(grapheme: string): FontFile | undefined {
    const base = codePoint(grapheme)
    const isSingle = grapheme.length === (base > 0xffff ? 2 : 1)
    const single = isSingle ? first(groups, base) : undefined
    if (single !== undefined || (isSingle && grapheme.normalize('NFD') === grapheme)) return single
    const spelling = spellings(grapheme)
    return (
      found(groups, (group) => fontOfAll(lookup, group, spelling)) ??
      found(groups.toReversed(), (group) => fontOfAll(lookup, group, { ...spelling, isLoose: true })) ??
      first(groups, spelling.points[0] ?? base)
    )
  }

  function ofLetter(letter: string): FontFile | undefined {
    const ofFace = ({ group, packageName }: Face) =>
      lookup.filesFor(group, codePoint(letter)).find((file) => file.packageName === packageName)
    return found(faces, ofFace) ?? ofGrapheme(letter)
  }

  return {
    /** Marks that Latin and Chinese share may be those of Han fonts. */
    hasHanMarks: ideographic && form !== 'ko',
    /** A mark in Chinese or Japanese context. Japanese fonts have narrow quotation marks, which are Latin ones. */
    ofHanMark: (mark: string): FontFile | undefined =>
      (form === 'ja' && /[“”]/.test(mark) ? undefined : first(hanMarks, codePoint(mark))) ?? ofGrapheme(mark),
    ofGrapheme,
    /** The font for a word of one letter, a UTF-16 unit. */
    ofLetter,
    /** Fonts for the graphemes of a word: all of the first face that has all of them, where there is one. */
    ofWord(graphemes: readonly string[]): readonly (FontFile | undefined)[] {
      const [only = ''] = graphemes
      if (graphemes.length === 1 && only.length === 1) return [ofLetter(only)]
      const word = graphemes.map(spellings)
      return (
        found(faces, (face) => inFace(lookup, face, word, false)) ??
        found(faces.toReversed(), (face) => inFace(lookup, face, word, true)) ??
        graphemes.map(ofGrapheme)
      )
    },
  }
}

function inFace(lookup: Lookup, { group, packageName }: Face, word: readonly Spelling[], isLoose: boolean) {
  const files: (FontFile | undefined)[] = []
  for (const spelling of word) {
    const file = fontOfAll(lookup, group, { ...spelling, packageName, isLoose })
    if (file === undefined && spelling.points.length > 0) return undefined
    files.push(file)
  }
  return files
}

/** The visible characters of a grapheme as they are written, and taken apart: a font composes letters with marks. */
function spellings(grapheme: string) {
  const visible = Array.from(grapheme).filter((character) => !invisible.test(character))
  const parts = visible.length === 0 ? [] : Array.from(visible.join('').normalize('NFD'), codePoint)
  return { points: visible.map(codePoint), parts }
}

function behind(brand: BrandFace, others: Lookup): Lookup {
  const files = [brand.file]
  return {
    filesFor: (group, point) =>
      group === brandGroup ? (brand.has(point) ? files : []) : others.filesFor(group, point),
    placesMark: (file, letter, mark) =>
      file === brand.file ? brand.placesMark(letter, mark) : placesMark(file, letter, mark),
  }
}

function withoutFace(packageName: string): Lookup {
  return {
    filesFor: (group, point) => {
      const files = fontFilesFor(group, point)
      return files[0]?.packageName === packageName
        ? files.filter((file) => file.packageName !== packageName)
        : files
    },
    placesMark,
  }
}

interface Wanted extends Spelling {
  readonly packageName?: string
  /** Marks may stand beside their letters: that is better than none. */
  readonly isLoose?: boolean
}

/** The font of a group that has all of a grapheme and places its marks. */
function fontOfAll(lookup: Lookup, group: string, wanted: Wanted): FontFile | undefined {
  const { points, parts } = wanted
  const files = lookup.filesFor(group, points[0] ?? 0)
  for (const file of files) if (hasAll(lookup, group, file, wanted)) return file
  if (parts[0] === points[0]) return undefined
  for (const file of lookup.filesFor(group, parts[0] ?? 0)) {
    if (!files.includes(file) && hasAll(lookup, group, file, wanted)) return file
  }
  return undefined
}

function hasAll(
  lookup: Lookup,
  group: string,
  file: FontFile,
  { points, parts, packageName, isLoose = false }: Wanted,
): boolean {
  if (packageName !== undefined && file.packageName !== packageName) return false
  const has = (point: number) => lookup.filesFor(group, point).includes(file)
  if (!points.every(has) && !parts.every(has)) return false
  if (isLoose || (points.length === 1 && has(points[0] ?? 0))) return true
  // Each mark finds its place on what the font makes of the letter and the other marks.
  const [letter = 0, ...marks] = parts
  return marks.every((mark, index) => {
    const composed = codePoint(String.fromCodePoint(letter, ...marks.toSpliced(index, 1)).normalize('NFC'))
    const base = has(composed) ? composed : letter
    return !has(base) || lookup.placesMark(file, base, mark)
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
