import { words } from '../../lib/words.ts'

/** Generations and degrees. */
const suffixes = new Set(
  words(`
    jr sr jnr snr esq phd md dphil mba cpa dds dvm jd llm llb bsc msc rn obe mbe cbe kbe csc drsc dis мл ст
  `),
)
/** Legal forms and honorifics: they give no initial even beside one word. */
const addenda = new Set(
  words(`
    inc ltd llc llp plc gmbh corp srl sarl pty oy ag bey hanım hanim san sama sensei ji saheb sahib
    जी साहब জি সাহেব ਜੀ ਸਾਹਿਬ જી గారు அவர்கள் ಅವರು මහතා මහත්මිය මිය صاحب صاحبہ ז"ל שליט"א ע"ה さん 様 さま 先生 님 씨
  `),
)
/** Honorifics that are families as well: with a capital beside one other word they are a family, as in `John Bey`. */
const alsoFamilies = new Set(words('ji bey ag hanim sahib saheb'))
/** Words behind a full name: more likely a degree only where they are in capitals or have dots, as in `John Doe, MA`. */
const alsoNames = new Set(words('ma ba be pe'))
const roman = /^X{0,3}(?:IX|IV|VI{0,3}|I{2,3})$/

/** Whether a word at the end of a name never gives an initial; a lone `V` or `X` is a name. */
export function isAddendum(word: string): boolean {
  return addenda.has(keyOf(word)) || (word.length > 1 && roman.test(word))
}

/** Behind a comma: there a word that is also a name is more likely a degree. */
const degrees = new Set([
  ...suffixes,
  ...addenda,
  ...alsoNames,
  ...words('dr prof meng beng mphil edd dba mfa frs cfa hons'),
])
/** Capitals behind a full name: more likely a degree than another name. */
const abbreviation = /^(?:\p{Lu}\.?){2,5}$/u
const dottedInitials = /^(?:\p{Lu}\.)+$/u
/** `S.Kom.`, `M.Sc.`, `Ph.D.`: two parts or more. */
const dottedDegree = /^\p{Lu}\p{L}{0,4}\.(?:\p{L}{1,5}\.?){1,3}$/u

function keyOf(word: string): string {
  return word.toLowerCase().replaceAll('.', '').replace(/[״“”]/g, '"')
}

/** Whether words behind a comma are no given name. */
export function isDegree(word: string, isFullName: boolean): boolean {
  if (alsoNames.has(word.toLowerCase()) && /^\p{Lu}\p{Ll}/u.test(word)) return false
  return degrees.has(keyOf(word)) || (isFullName && (abbreviation.test(word) || dottedDegree.test(word)))
}

/** Drops generations, degrees, legal forms and honorifics at the end, as long as a name is left. */
export function dropSuffixes(name: readonly string[]): readonly string[] {
  const isFamily = name.length === 2 && isFamilyAsWell(name[1] ?? '')
  const lastWord = isFamily
    ? 1
    : name.findLastIndex((word, at) => !isAddendum(word) && !(at > 0 && word === 'Co.'))
  const named = lastWord >= 0 ? name.slice(0, lastWord + 1) : name
  const last = named.findLastIndex((word) => !suffixes.has(keyOf(word)) && !isAddendum(word))
  const kept = last >= 1 ? named.slice(0, last + 1) : named
  const isShouted = kept.every((word) => word === word.toUpperCase())
  const names = kept.slice(0, -1).filter((word) => !dottedInitials.test(word))
  return names.length > 1 && !isShouted && abbreviation.test(kept.at(-1) ?? '') ? kept.slice(0, -1) : kept
}

function isFamilyAsWell(word: string): boolean {
  return alsoFamilies.has(word.toLowerCase()) && /^\p{Lu}\p{Ll}/u.test(word)
}
