import { primaryLanguage, words } from '../../lib/words.ts'
import andMoreByLanguage from '../data/and-more.json' with { type: 'json' }
import nameParts from '../data/name-parts.json' with { type: 'json' }
import scriptLanguages from '../data/script-languages.json' with { type: 'json' }
import { isAddendum, isDegree } from './titles.ts'

const made = 'written|posted|published|reported|edited|created|story|stories|text|words|article|guest post'
const madeAbroad =
  'geschrieben|(?:ein )?gastbeitrag|ein beitrag|escrito|publicado|texto|écrit|rédigé|publié|propos recueillis|scritto|' +
  'a cura|geschreven|skrevet|skriven'
/** Words before the name. No name begins with `by`; some begin with its counterparts, so two words must follow. */
const openings: readonly RegExp[] = [
  /^[\p{L}\p{M}・&]+(?: [\p{L}\p{M}・&]+){0,2} ?[:=](?!\/) ?/u,
  /^\p{Script=Han}{0,4}[记記]者 ?/u,
  /^[文图圖撰] ?\/ ?/u,
  /^글(?:[·・]사진)? /u,
  new RegExp(`^(?:(?:${made}) )?by:? `, 'iu'),
  new RegExp(
    `^(?:(?:(?:${madeAbroad}) )?(?:von|por|par|di|door|av|af)|bởi|oleh|โดย|بقلم|كتب|كتبت|מאת|نوشته)(?: [/-])? (?=[^ ,]+ [^ ])`,
    'iu',
  ),
]
const andOthers =
  /[,،、]? (?:et\.? ?al|u\. ?a|e\. ?a|m\. ?fl|a kol|и др|і ін|i in|и соавт|y otros|e outros|et autres|e altri|ve diğerleri|وآخرون|و ?دیگران)\.?$/iu
const betweenPeople = / ?[;；|] ?| [/+×] /u
const slash = /(?<=\p{L}\p{L})\/(?=\p{L}\p{L})/u
/** `and` and `with` of many languages between two names. */
export const conjunction =
  /,? (?:&|and|und|et|y|e|en|og|och|ja|ve|i|a|и|і|та|και|és|și|şi|dan|met|with|avec|con|mit) /u
/** A place or an employer behind a name: `in Berlin`. */
const place = / (?:in|at|for|from|of|on|via|as|bei|für|aus|chez|pour|para|per|voor|för) .*$/u
const organisation = /(?<!\p{L})(?:of|the|for|de la|der|für|des)(?!\p{L})/u
/** Words behind the comma that name a role. */
const roles = new Set(words(nameParts.roles))

/** A byline without the words of themes and newspapers before and behind the names. */
export function withoutByline(text: string): string {
  if (text.startsWith('http')) return text
  const named = openings.reduce((rest, opening) => {
    const name = rest.replace(opening, '')
    return /[\p{L}\p{N}]/u.test(name) ? name : rest
  }, text)
  return named.replace(andOthers, '')
}

/** The person named first in a list without commas; the name of a firm such as `Procter & Gamble` is no list. */
export function firstOfList(text: string): string {
  const [all = text] = text.split(betweenPeople)
  const [credited = all] = all.split(slash)
  const first = isFullName(credited) ? credited : all
  const [name = first, second = ''] = first.split(conjunction)
  const isPeople = isFullName(second) || /^\p{Ll}/u.test(second)
  const isList = /^\p{N}/u.test(second) || (isFullName(name) && isPeople && !organisation.test(first))
  const person = isList ? name : first
  const unplaced = person.replace(place, '')
  return isFullName(unplaced) ? unplaced : person
}

/** Words behind a comma say what somebody does, not how they are called. */
export function isRole(part: string): boolean {
  const isWork = part.split(' ').some((word) => roles.has(word.toLowerCase()))
  return isWork || organisation.test(part) || place.test(part)
}

function isFullName(name: string): boolean {
  return name.trim().includes(' ')
}

/** NFKC would join single jamo into syllables. */
const otherThanJamo = /[^\u3131-\u318E]+/gu
/** Ligatures of whole sentences, said behind a name. */
const blessings = /[\uFDFA\uFDFB]/g
/** Joiners, soft hyphens, and the fillers of Hangul, which are letters without a shape. */
const invisible = /[\u200B\u2060\uFEFF\u00AD\u115F\u1160\u3164]/gu
/** Points of Arabic and Hebrew, and the stroke that lengthens Arabic words. */
const points = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0640\u064B-\u065F\u0670\u06D6-\u06ED]/g
const mailbox = /^(.*?)<([^<>\s@]+@[^<>\s]+)>$/u
const address = /^([^\s@]+)@[^\s@]+$/u
/** The author of an RSS feed: `jane@example.com (Jane Doe)`. */
const feedAuthor = /^[^\s@]+@[^\s@]+\s\(([^()]+)\)$/u
/** `@jane`, `@jane@example.social`, `@jane:example.org`, `u/jane`. */
const handle = /^(?:@|\/?u\/)([^\s@:/]+)(?:[@:]\S*)?$/u
const remarks = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|（[^（）]*）|【[^【】]*】/gu
const nicknames = /(?<=^|\s)(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|'[^']*'|‘[^’]*’|「[^」]*」)(?=$|[\s,])/gu
/** The legal form of a company before its quoted name, in the languages that write it so: `ООО «Ромашка»`. */
const quotedCompany =
  /^(?:ООО|ОАО|ЗАО|ПАО|АО|ИП|ТОО|ОДО|НКО|АНО|ГК|ТОВ|ПП|ПрАТ|АТ|ЕООД|ООД|АД|UAB|AB|SIA|OÜ|PT|CV|ZAO|OOO|PAO|AO)[\s.]*["“„«'‘](.+?)["”“»'’]/u
const brackets = /[()[\]{}（）【】「」]/gu
/** A description of the person behind the name. */
const description = /\s[–—•·|@-]\s.*$/u
const pronouns = /\s(?:she|he|they|ze|xe|it|any|ella|él|elle|il|sie|er)\/\p{L}[\p{L}/]*$/iu
const contact = /\s[^\s@]*@[^\s@]+$/u

/** Most names: nothing of them is left out. */
const plainName = /^(?!.*\s-\s)[\p{L}\p{M} .-]+$/u

/** The name without e-mail address, brackets and nickname; what they hold counts when nothing else is left. */
export function personalName(raw: string): string {
  const text = raw
    .replace(blessings, ' ')
    .replace(otherThanJamo, (part) => part.normalize('NFKC'))
    .replace(invisible, '')
    .replace(points, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^mailto:/iu, '')
    .replace(feedAuthor, '$1')
  const all = withoutByline(text)
  // People after the first are dropped where the first has an address or a handle.
  const end = all.search(/[,;]/)
  const addressed = all.slice(all.lastIndexOf(' ', end) + 1, end)
  const byline = end > 0 && addressed.includes('@') ? all.slice(0, end) : all
  const [, display = byline, mail] = mailbox.exec(byline) ?? []
  const shown = display.trim() || (mail ?? '')
  const account = accountOf(shown)
  if (account !== undefined) return account
  if (plainName.test(shown)) return firstOfList(shown)
  const company = quotedCompany.exec(shown)?.[1]
  if (company !== undefined) return company
  const bare = [remarks, nicknames, description, pronouns, contact].reduce((name, pattern) => {
    const rest = name.replace(pattern, ' ').trim()
    return hasInitial(rest) ? rest : name
  }, shown)
  return firstOfList(bare.replace(brackets, ' ').trim())
}

function accountOf(text: string): string | undefined {
  const local = address.exec(text)?.[1]
  if (local !== undefined) return accountWords(local.replace(/(?<!\+)\+.*$/u, ''))
  const account = handle.exec(text)?.[1]
  if (account !== undefined) return accountWords(account)
  if (!/^https?:/iu.test(text) || !URL.canParse(text)) return undefined
  const { hostname, pathname } = new URL(text)
  const last = pathname.split('/').findLast((part) => part !== '')
  return accountWords(last?.replace(/^@/, '') ?? hostname.replace(/^www\./, '').split('.')[0] ?? '')
}

/** Account names have no spaces: dots, hyphens and capitals part their words. */
function accountWords(account: string): string {
  return account.replace(/[._-]+/g, ' ').replace(/(?<=\p{Ll})(?<!\bMa?c)(?=\p{Lu})/gu, ' ')
}

export function hasInitial(text: string): boolean {
  return /[\p{L}\p{N}]|(?![#*])\p{Emoji}/u.test(text)
}

const comma = /[,،，、;；]/u
/** The mark between two names of a shorter list, by the one that the author's has. */
const separators: readonly (readonly [found: RegExp, separator: string])[] = [
  [/[、，]/u, '、'],
  [/،/u, '، '],
  [/[;；]/u, '; '],
]
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・]{2,}$/u
/** Small letters at the start, digits, and a conjunction, which leaves open how many there are. */
const noName = new RegExp(`^\\p{Ll}|\\p{Nd}|${conjunction.source}`, 'u')
const particles = / (?:van|von|de|da|do|in|op|auf) (?:der|den|de|la|las|los|het|'t|’t) /iu
/** The given names of an author's reference: `Lovelace, A. K., Hopper, G.` */
export const givenInitials = /^(?:\p{Lu}\.[\s-]?)+$/u

/** "A, B and 2 more", "A and 3 more", longest first; none for one person or a firm. `texts` tell the language without `lang`. */
export function shorterAuthors(author: string, lang: string | undefined, texts: string): readonly string[] {
  const [names = '', description = ''] = author.split(/(?= [·|] )/u)
  const people = peopleOf(names)
  const separator = separators.find(([found]) => found.test(author))?.[1] ?? ', '
  const shorter: string[] = []
  for (let shown = people.length - 1; shown > 0; shown--) {
    const more = people.length - shown
    // One more is no shorter than the name, except behind the only other one.
    if (more === 1 && shown > 1) continue
    shorter.push(people.slice(0, shown).join(separator) + andMore(more, lang, texts) + description)
  }
  return shorter
}

/** The names in a list of people; none where the text is something else. */
function peopleOf(author: string): readonly string[] {
  const text = withoutByline(author)
  if (!author.endsWith(text)) return []
  const parts = text.split(comma).map((part) => part.trim())
  const last = parts.pop() ?? ''
  const [first = '', second] = ` ${last}`.split(conjunction)
  const lastTwo = second === undefined ? [last] : [first.trim(), second].filter((name) => name !== '')
  const people = [...parts, ...lastTwo]
  return people.length > 1 && people.every(isPerson) ? people : []
}

function isPerson(name: string): boolean {
  if (unspaced.test(name)) return true
  const bare = name.replace(particles, ' ')
  const isFull = name.includes(' ') && !noName.test(name) && !givenInitials.test(name)
  return isFull && !isRole(bare) && !name.split(' ').some(isAddendum) && !isDegree(name, true)
}

/** "and 2 more" by language, worded so that it holds for every number from 2 on: `#` is the number. */
const phrases: Readonly<Record<string, string>> = andMoreByLanguage
/** Letters of a script that one language nearly always has, and words that only English has. */
const guesses = Object.entries(scriptLanguages).map(
  ([lang, letters]) => [lang, new RegExp(`[${letters}]`, 'u')] as const,
)
const english = /^(?=[ -~\u2010-\u2026]*$).*\b(?:the|and|how|why|what|with|your|from|you|we|our)\b/i

/** The number of others behind a list of people, with what is between; `+2` where neither `lang` nor `texts` show the language. */
export function andMore(count: number, lang: string | undefined, texts = ''): string {
  const known = lang ?? guesses.find(([, sign]) => sign.test(texts))?.[0] ?? (english.test(texts) ? 'en' : '')
  const phrase = count < 2 ? undefined : phrases[primaryLanguage(known)]
  if (phrase === undefined) return ` +${count}`
  return `${/^[、和]/.test(phrase) ? '' : ' '}${phrase.replace('#', String(count))}`
}
