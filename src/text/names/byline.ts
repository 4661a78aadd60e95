import { words } from '../../lib/words.ts'

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
/** Others who wrote too. */
const andOthers =
  /[,،、]? (?:et\.? ?al|u\. ?a|e\. ?a|m\. ?fl|a kol|и др|і ін|i in|и соавт|y otros|e outros|et autres|e altri|ve diğerleri|وآخرون|و ?دیگران)\.?$/iu
const betweenPeople = / ?[;；|] ?| [/+×] /u
const slash = /(?<=\p{L}\p{L})\/(?=\p{L}\p{L})/u
/** `and` and `with` of many languages between two names. */
export const conjunction =
  /,? (?:&|and|und|et|y|e|en|og|och|ja|ve|i|a|и|і|та|και|és|și|şi|dan|met|with|avec|con|mit) /u
/** A place or an employer behind a name: `in Berlin`. */
const place = / (?:in|at|for|from|of|on|via|as|bei|für|aus|chez|pour|para|per|voor|för) .*$/u
/** Words of organisations, which are no list of people. */
const organisation = /(?<!\p{L})(?:of|the|for|de la|der|für|des)(?!\p{L})/u
/** Words behind the comma that name a role. */
const roles = new Set(
  words(`
    staff senior junior chief head lead principal editor editors engineer reporter writer correspondent contributor
    columnist journalist author director manager founder cofounder co-founder ceo cto cfo coo officer president chair
    photographer developer designer student professor researcher scientist consultant analyst guest
    redakteur redakteurin redaktion chefredakteur autor autorin redactor redactora periodista journaliste rédacteur
    rédactrice giornalista redattore redactie journalist redaktør redaktör korrespondent korrespondentin редактор
    журналист корреспондент автор журналіст
  `),
)

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

/** Whether words behind a comma say what somebody does, not how they are called. */
export function isRole(part: string): boolean {
  const isWork = part.split(' ').some((word) => roles.has(word.toLowerCase()))
  return isWork || organisation.test(part) || place.test(part)
}

function isFullName(name: string): boolean {
  return name.trim().includes(' ')
}
