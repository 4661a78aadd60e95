/**
 * The words of a name that may give an initial, given name first. Titles, particles, generations, degrees, nicknames
 * and remarks in brackets give none, unless the name has nothing else.
 */
export function nameWords(name: string): readonly string[] {
  const words = splitWords(inReadingOrder(personalName(name))).map((word) => word.replace(joinedArticle, ''))
  const named = dropParticles(dropSuffixes(dropTitles(words)))
  const only = named[0]
  return named.length === 1 && only !== undefined ? splitSingle(only) : named.flatMap(splitDotted)
}

/** `al-` and `d’` in small letters before a capital, and the Arabic article. */
const joinedArticle = /^(?:\p{Ll}{1,3}[-‐‑](?=\p{Lu})|\p{Ll}{1,5}['’ʼ](?=\p{Lu})|ال(?=\p{L}{2}))/u
/** NFKC would join single jamo into syllables. */
const otherThanJamo = /[^\u3131-\u318E]+/gu
/** Joiners, soft hyphens, and the fillers of Hangul, which are letters without a shape. */
const invisible = /[\u200B\u2060\uFEFF\u00AD\u115F\u1160\u3164]/gu
const gluedTitle = /^(?:dr|mr|mrs|ms|prof|rev)\.(?=\p{L})/iu
const mailbox = /^(.*?)<([^<>\s@]+@[^<>\s]+)>$/u
const address = /^([^\s@]+)@[^\s@]+$/u
const remarks = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|（[^（）]*）|【[^【】]*】/gu
const nicknames = /(?<=^|\s)(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|'[^']*'|‘[^’]*’|「[^」]*」)(?=$|[\s,])/gu

/** The name without e-mail address, brackets and nickname; what they hold counts when nothing else is left. */
function personalName(raw: string): string {
  const text = raw
    .replace(otherThanJamo, (part) => part.normalize('NFKC'))
    .replace(invisible, '')
    .replace(gluedTitle, '$& ')
    .replace(/\s+/gu, ' ')
    .trim()
  const [, display = text, mail] = mailbox.exec(text) ?? []
  const shown = display.trim() || (mail ?? '')
  const local = address.exec(shown)?.[1]
  if (local !== undefined) return local.replace(/(?<!\+)\+.*$/u, '').replace(/[._-]+/g, ' ')
  const bare = shown.replace(remarks, ' ').replace(nicknames, ' ')
  return hasInitial(bare) ? bare : shown.replace(/[()[\]{}（）【】"“”„«»‘’「」]/gu, ' ')
}

function hasInitial(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)
}

/** Turns "Last, First" around and drops degrees behind a comma. */
function inReadingOrder(name: string): string {
  const [family = '', ...rest] = name
    .split(/[,،，]/u)
    .map((part) => part.trim())
    .filter(hasInitial)
  const isFullName = splitWords(family).length > 1
  function isDegree(word: string) {
    return isOneOf(degrees, word) || (isFullName && abbreviation.test(word))
  }
  const given = rest.filter((part) => !part.split(' ').every(isDegree))
  return [...given, family].join(' ')
}

/** Capitals behind a full name: more likely a degree than another name. */
const abbreviation = /^(?:\p{Lu}\.?){2,5}$/u

function splitWords(name: string): string[] {
  return name.split(/[\s_/|・&]+/u).filter(hasInitial)
}

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}
const titles = list(
  'dr doctor mr mister mrs ms mx miss prof professor sir dame lady lord rev reverend herr frau mme mlle sra srta',
)
/** Titles only with a dot: without it they are names. */
const dottedTitles = list(
  'med hc habil rer nat fr hon hr ing capt col gen lt maj sgt pres sen gov sr dott dipl-ing',
)
const suffixes = list(
  'jr sr jnr snr ii iii iv vi vii viii esq phd md dphil mba cpa dds jd llm llb bsc msc rn obe mbe cbe',
)
/** Behind a comma: there a word that is also a name is more likely a degree. */
const degrees = new Set([
  ...suffixes,
  ...list('ma ba be pe dr prof meng beng mphil edd dba mfa frs inc ltd llc plc gmbh'),
])
const particles = list(
  'van von vom der den de del della dello degli dei di da das do dos du des la le las los lo les el al ter ten te ' +
    "thor zu zum zur af av auf bin ibn bint binti abu ben bat y e i und and of the san 't ’t",
)
/** Particles that are also given names, at the start of a name. */
const givenParticles = list('al ben des san abu')

function isOneOf(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word.toLowerCase().replaceAll('.', ''))
}

function isTitle(word: string): boolean {
  return isOneOf(titles, word) || (word.endsWith('.') && isOneOf(dottedTitles, word))
}

function dropTitles(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words
  // "The Reverend Jane Doe".
  const article = first.toLowerCase() === 'the' && isTitle(second) ? 1 : 0
  const kept = words.findIndex((word, index) => index >= article && !isTitle(word))
  return kept > 0 && words.length - kept >= 2 ? words.slice(kept) : words
}

function dropSuffixes(words: readonly string[]): readonly string[] {
  const last = words.findLastIndex((word) => !isOneOf(suffixes, word))
  return last >= 1 ? words.slice(0, last + 1) : words
}

/** Only particles in small letters: `Van Morrison` keeps his. */
function dropParticles(words: readonly string[]): readonly string[] {
  const rest = words.filter(
    (word, index) => !particles.has(word) || (index === 0 && givenParticles.has(word)),
  )
  return rest.length > 0 ? rest : words
}

/** The parts of a name of one word: `JD` and `JFK` are initials, `Jean-Luc` and `jane.doe` two names, `BOB` is one. */
function splitSingle(word: string): readonly string[] {
  if (/^\p{Lu}{2,3}$/u.test(word)) return isShouted(word) ? [word] : Array.from(word)
  const parts = word.split(/[-‐‑.·]+/u).filter(hasInitial)
  return parts.length > 1 ? parts : [word]
}

/** Whether three capitals can be pronounced, which tells a name in capitals from initials. */
function isShouted(word: string): boolean {
  return word.length === 3 && /[AEIOUYΑΕΗΙΟΥΩАЕИІОУЫЭЮЯ]/u.test(word.normalize('NFD'))
}

/** `J.R.R.` is three names. */
function splitDotted(word: string): readonly string[] {
  return /^(?:\p{Lu}\.){2,}$/u.test(word) ? word.split('.').filter(hasInitial) : [word]
}
