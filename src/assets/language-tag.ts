import { wordPairs } from '../lib/words.ts'

/**
 * The canonical spelling of a well-formed BCP 47 tag (RFC 5646, 2.1), or undefined. Tags that `Intl` refuses, such as
 * `x-whatever` or `i-default`, are returned in lower case: `Intl` throws a RangeError for them.
 */
export function languageTag(text: string): string | undefined {
  if (text.length > charactersMax) return undefined
  const tag = text.toLowerCase().replace(mandarin, 'zh')
  const name = replacements.get(tag)
  if (name !== undefined) return name
  if (!wellFormed.test(tag)) return undefined
  // An extended language subtag is a language of its own: zh-yue is yue.
  return canonicalTag(tag) ?? canonicalTag(tag.replace(extended, '')) ?? tag
}

const charactersMax = 35

const language = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const script = '(?:-[a-z]{4})?'
const region = '(?:-(?:[a-z]{2}|\\d{3}))?'
const variants = '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*'
const extensions = '(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*'
const privateUse = 'x(?:-[a-z\\d]{1,8})+'
const wellFormed = new RegExp(
  `^(?:${language}${script}${region}${variants}${extensions}(?:-${privateUse})?|${privateUse})$`,
)

/** Mandarin is written `zh`; runtimes differ in whether they map it. */
const mandarin = /^(?:zh-)?cmn(?=-|$)/

const extended = /^[a-z]{2,3}-(?=[a-z]{3}(?:-(?![a-z]{3}(?:-|$))|$))/

/** Grandfathered tags, registered before the grammar, with their preferred values. */
const replacements = wordPairs(`
  en-gb-oed en-GB-oxendict i-ami ami i-bnn bnn i-default i-default i-enochian i-enochian i-hak hak
  i-klingon tlh i-lux lb i-mingo i-mingo i-navajo nv i-pwn pwn i-tao tao i-tay tay i-tsu tsu
  no-bok nb no-nyn nn sgn-be-fr sfb sgn-be-nl vgt sgn-ch-de sgg zh-min zh-min zh-min-nan nan
`)

/** The canonical spelling by `Intl`; undefined where that refuses the tag. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
