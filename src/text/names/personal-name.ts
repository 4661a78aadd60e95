import { firstOfList, withoutByline } from './byline.ts'

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
/** An address or a handle behind the name. */
const contact = /\s[^\s@]*@[^\s@]+$/u

/** Most names: nothing of them is left out. */
const words = /^(?!.*\s-\s)[\p{L}\p{M} .-]+$/u

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
  const byline = firstAddressed(withoutByline(text))
  const [, display = byline, mail] = mailbox.exec(byline) ?? []
  const shown = display.trim() || (mail ?? '')
  const account = accountOf(shown)
  if (account !== undefined) return account
  if (words.test(shown)) return firstOfList(shown)
  const company = quotedCompany.exec(shown)?.[1]
  if (company !== undefined) return company
  const bare = [remarks, nicknames, description, pronouns, contact].reduce((name, pattern) => {
    const rest = name.replace(pattern, ' ').trim()
    return hasInitial(rest) ? rest : name
  }, shown)
  return firstOfList(bare.replace(brackets, ' ').trim())
}

/** Without the other people behind the address or the handle of the first. */
function firstAddressed(text: string): string {
  const end = text.search(/[,;]/)
  const word = text.slice(text.lastIndexOf(' ', end) + 1, end)
  return end > 0 && word.includes('@') ? text.slice(0, end) : text
}

/** The words of an account's name; undefined of what is none. */
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
