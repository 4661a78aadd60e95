import { decodeHTMLStrict } from 'entities'
import { words } from '../../lib/words.ts'
import textWords from './data/text-words.json' with { type: 'json' }

/** Text of a page on one line: double-escaped references decoded, unreadable characters removed, white space collapsed. */
export function cleanPageText(raw: string): string {
  if (plainText.test(raw)) return raw
  const text = undoDoubleEscape(raw.toWellFormed()).replace(unreadable, '').trim()
  return (/[\u3000-\u9fff]/.test(text) ? text.replace(brokenLine, '') : text).replace(/\s+/g, ' ')
}

/** Where a line of the source ends between letters that have no spaces between them. */
const brokenLine =
  /(?<=[\u3000-\u9fff\uff01-\uff60])[ \t]*\r?\n\s*(?=[\u3000-\u9fff\uff01-\uff60])|(?<=[\u3001\u3002\uff01\uff0c\uff1f])\s*\n\s*/g

const plainText = /^[!-%'-~]+(?: [!-%'-~]+)*$/

/** Around a superscript in collected text, which has no such characters. */
export const raisedStart = '\u0001'
export const raisedEnd = '\u0002'

/** Superscripts as text: `2⁴⁸`, `5th`, a label set apart; without signs of footnotes. */
export function withRaised(text: string): string {
  return text.includes(raisedStart) ? text.replace(raisedText, raise) : text
}

function raise(_: string, raw: string, next = ''): string {
  const text = raw.trim()
  if (text === '' || /^\[.*\]$/.test(text)) return next
  if (/^[-+−–]?\d+[-+]?$/.test(text))
    return text.replace(/./g, (sign) => raisedSigns[signs.indexOf(sign)] ?? sign) + next
  if (/\p{L}{4}|^\p{Lu}{2}/u.test(text) && !/^[TS]M$/.test(text)) return ` ${text}${next && ` ${next}`}`
  return `${/[^\p{L}™®℠]|^[b-df-np-qs-z]$/u.test(text) ? '^' : ''}${text}${next}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks above
const raisedText = /\u0001([^\u0001\u0002]{0,80})\u0002?(\p{L}?)/gu
const signs = '0123456789+-−–'
const raisedSigns = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻'

export function nonEmptyText(raw: string | undefined): string | undefined {
  return cleanPageText(raw ?? '') || undefined
}

/** The text up to the last sentence, or else the last word, that ends within the limit. */
export function cutAtSentence(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const start = text.slice(0, charsMax).toWellFormed()
  const sentences = /^.*[.!?…](?=\s)|^.*[。！？]/su.exec(start)?.[0]
  if (sentences !== undefined && sentences.length >= charsMax / 2) return sentences
  const words = start.slice(0, -1)
  const lastSpace = words.lastIndexOf(' ')
  return `${lastSpace < 0 ? words : words.slice(0, lastSpace)}…`
}

/** Decodes what a site escaped twice, except `<` and `>`: a decoded tag could be taken for markup. */
function undoDoubleEscape(text: string): string {
  return text.includes('&') ? text.replace(escapeSequence, decodeEscape) : text
}

const escapeSequence = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/g

function decodeEscape(reference: string): string {
  const text = decodeHTMLStrict(reference)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
  return /[<>\u0000-\u001f\ufffd]/.test(text) ? reference : text
}

/** Control characters except white space, and bidirectional overrides, with which a title could reorder the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const unreadable = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g

/**
 * A text that ends in a colon announces what is behind it, one that ends in two says nothing without that.
 * @param isFirst whether it is the first text below a heading, where a short sentence says what the page is
 */
export function readableText(raw: string, linkChars: number, isFirst = false): string | undefined {
  const whole = cleanPageText(raw)
  const text = ends.reduce((rest, end) => rest.replace(end, ''), whole.replace(openEnd, '::'))
  // Scripts without spaces say more with fewer characters.
  const isDense = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]/.test(text)
  const isBrief = purpose.test(whole) || (isFirst && shortSentence.test(text))
  const charsMin = isBrief ? 9 : isDense ? 20 : 40
  const isMenu = linkChars > whole.length / 2 && whole.length - linkChars < ownCharsMin
  if (text.length < charsMin || isMenu) return undefined
  return notices.some((notice) => notice.test(text))
    ? undefined
    : isPointing(text)
      ? text.replace(/：$/, ':')
      : text.replace(/[:：]$/, '.')
}

/** Doxygen's link to more of a description. */
const more = /(?<=\S) More(?:\.{3}|…)$/
/** A name, and what it is for, as manuals have it; or with such a link. */
const purpose = new RegExp(`^\\S{2,40} — \\p{L}|${more.source}`, 'u')

/** The rest of a sentence that began before; numbers of issues, commits and footnotes, and who wrote; a last sentence that announces what is behind the paragraph, or leads to another page. */
const ends: readonly RegExp[] = [
  /^(?:which|where|that|and|or|but)\b(?:[^.!?]|[.!?](?!\s))*(?:$|[.!?](?:$|\s(?=\p{Lu})))|(?:(?<=[\p{Ll}.,;:!?)”"])\[[1-9]\d{0,2}\]|(?<=\S)\s\[\d{1,3}\])(?![\w([])/gu,
  /\s[([]\s?(?:(?:(?:see|in|fixes|closes|by)\s)?(?:(?=[a-f]{0,11}\d)[\da-f]{7,12}\b|@[\w-]{2,39}|[\w./-]{0,60}#\d{1,6})[\s,]*)+[)\]]/gi,
  /(?:(?<![\s,;:–-])[\s,;:–-]+(?:(?:(?:see|in|fixes|closes|refs?|pr)[:\s]+)?(?:[\w./-]{0,60}(?:#\d{2,6})+|(?=[a-f]{0,11}\d)[\da-f]{7,12}(?!\w)|\[\d{1,3}\]_?)|(?:by|thanks(?: to)?)\s@[\w-]{2,39})(?:\s@[\w-]{2,39})*)+\.?$/i,
  more,
  /(?<=[.!?])\s(?:[^.!?:]|[.!?](?!\s))*:{1,2}$|(?<=[。！？])[^。！？：:]*[：:]{1,2}$/,
  /(?<=[.!?]["”’)]?)\s\W{0,2}(?:(?:please |also |you (?:can|may) (?:also )?)?(?:see|refer|consult|check out|find|learn (?:how|more)|read (?:more|about)|visit)|(?:for )?(?:more|further|additional|full) (?:\w+ )?(?:about|details?|information|on)|siehe|(?:mehr|weitere) (?:dazu|details|informationen|über)|voir|pour (?:plus d|en savoir)|véase|(?:para )?más información|vedi|zie)\b(?:(?![.!?]\s).){0,300}$/i,
]

function isPointing(text: string): boolean {
  return text.endsWith('::') || pointing.test(text)
}

const ownCharsMin = 80
/** A sentence, or four words that are no names; not one with a date or a count. */
const shortSentence =
  /^(?!.*(?<![\d.])\d+\b(?!\.\d))(?:.*[^.][.!?。]$|(?=.{20})\p{Lu}\S+(?: \p{Ll}[\p{L}-]*){3}(?: |$)|.{2,60} — \p{Ll}|\S{2,40} - .*\p{Ll}{2})/u

/** Words of a sentence that is about what stands behind it. */
const pointing = new RegExp(
  `(?<![\\p{L}])(?:${words(textWords.pointing).join('|')})(?![\\p{L}])|${words(textWords.pointingParts).join('|')}`,
  'iu',
)

/** The last words of a sentence that only what stands behind it completes. */
const openEnd = new RegExp(
  `(?:(?<=\\s)(?:${words(textWords.openEnds).join('|')}|th(?:is|ese) \\w+|by (?:\\w+ly )?\\w+ing)|,)[:,]?$|\\s(?:following|e\\.g\\.|[-–—])$`,
  'u',
)

const notices: readonly RegExp[] = [
  /^(?:welcome to|hello|hi|hey)\b.{0,60}$/i,
  // Menus of languages or letters, members of a program, and how a command is called.
  /^(?:[^|·•]{0,40}:)?(?:[^|·•]{1,24}[|·•]){2,}[^|·•]{1,24}$/u,
  /^(?:[•▪▸Ƭ]\s|(?:new )?[\w.$]+\([^()]*\)(?:\s?(?:[:→]|[-=]>)\s?\S+)?$)/u,
  /^[\w./-]+ (?:-{1,2}[a-z]|\[ ?[a-z-])(?!.*[.!?]$)/i,
  /^(?:(?:definition|defined) at line \d|(?:example|figure|table) \d[\d.-]*[.:] |searching for multiple words only shows)/i,
  /^\W*(?:redistributions? (?:of|and use in) (?:source|binary)|permission is hereby granted|(?:licensed|distributed) (?:under the|to the apache) |spdx-license-identifier|you may not use this file except|the software is provided ["“'‘]?as is\b|(?:use of )?this (?:documentation|file|library|package|program|project|software|source code(?: form)?|work) is (?:free software\b|governed by an? |part of the gnu |subject to the terms of the |(?:licensed|distributed|released) under |distributed in the hope ))/i,
  // References elsewhere, notices of docstrings, names of authors; declarations of C.
  /^see (?:also |the )?[^.!?]{0,80}(?:\.\w+[^.!?]{0,80})?\.?$|\bpreview api of\b|^programs can only use \S+ when preview|^this docstring was copied\b|^some inconsistencies with the|^(?:authors?|maintainers?|contact|e-?mail)\s?:|^(?:[^.!?]|\.(?!\s)){0,120}<[^<>]{2,40}(?:@| at )[^<>]{3,60}>\W*$/i,
  /^(?:bool|char|const|enum|int|long|s?size_t|static|struct|unsigned|void)\s[\w\s*]+\(.*\)\s?;?$/,
  /^\W*(?:deprecated\b|as of (?:version )?\d.{0,60}\b(?:use|replaced|removed)\b|(?:for )?(?:more|further|additional) (?:\w+ )?(?:details|information)\b|(?:please )?(?:see|refer to|visit) .{0,150}\bfor (?:more|further|additional|details)\b|(?:read|learn) more\b|note that\b|(?:note|notice|warning|attention|important|caution|tip|hinweis|achtung|remarque|nota)\s?[:!–—\]-])/i,
  /^(?:(?:this|the|it|they|these|only|not)\b.{0,60}\b(?:only (?:be )?(?:available|supported|works?|usable|used)|(?:available|supported|works?|usable) (?:only )?(?:on|in|for|since|from) (?:windows|unix|linux|macos|posix|version|v?\d)|(?:not|un)\s?(?:available|supported))\b|(?:\w+ \S+ was )?(?:available|added|changed|new|introduced|removed) (?:since|in|on) (?:version |\w+ )?[vR]?\d|(?:since|availability|platforms?)[:\s]).{0,90}$/i,
  /^\W{0,3}(?:©|\(c\)|copyright\b|all rights reserved)|^.{0,80}(?:©|\(c\)|copyright) \d{4}/iu,
  /[»›>→][^»›>→]{1,60}[»›>→]/u,
  /^.{0,40}\b(?:donat(?:e|ion)s?|subscri(?:be|ption)|sign (?:up|in)|log ?in|newsletter|abonnieren|spenden?|s'abonner|suscr[ií]b\w*)\b.{0,120}$/iu,
  /\b(?:uses?|using|accept|utilis\w+|verwende\w*|nutz\w+|usa(?:mos)?|utiliza\w*) .{0,40}\bcookies\b/iu,
  /^(?:received|accepted|submitted|revised|eingegangen|angenommen|reçu|recibido|ricevuto)\b.{0,40}\d{4}.{0,80}$/iu,
  /\b(?:enable|activate|activez|aktivieren|activa\w*|requires?) .{0,30}\b(?:javascript|cookies|flash)\b|\bjavascript .{0,40}\b(?:disabled|deaktiviert|désactivé)/iu,
  /^(?:by|von|par|por|di|door|av|af|written by|posted (?:by|on)|published|released|updated|modified|skip to|filed under|tags?|share|photo|foto|image|source|quelle)\b[:\s].{0,80}$/iu,
]

/** The text without HTML tags, escaped or not, that a program has left in it. Other angle brackets are the author's. */
export function withoutTags(text: string): string {
  if (!/<|&lt;/i.test(text)) return text
  const letters = new Set<string>()
  for (const [, slash, name = ''] of text.matchAll(tagPattern)) if (slash !== '') letters.add(name)
  return text.replace(tagPattern, (whole, slash: string, name: string, attributes: string) =>
    isTag(slash, name, attributes, letters) ? ' ' : whole,
  )
}

function isTag(slash: string, name: string, attributes: string, closed: ReadonlySet<string>): boolean {
  const isHtml =
    tagNames.has(name.toLowerCase()) && (name === name.toLowerCase() || name === name.toUpperCase())
  if (!isHtml) return false
  const given = attributes.replace(/\/$/, '').trim()
  if (given !== '') return given.includes('=')
  // Types are called by one letter as well, and what is to be filled in by capitals: `Box<A>`, `<VAR>`.
  const isCapital = name === name.toUpperCase() && !/^(?:BR|D[DT]|HR|IMG|LI|P|T[DR])$/.test(name)
  return slash !== '' || (name.length > 1 && !isCapital) || name.toLowerCase() === 'p' || closed.has(name)
}

/** A tag without its pair is what the title is about, and stays: `<small>: the side comment element`. */
export function withoutInlineMarkup(title: string): string {
  if (!/<|&lt;/i.test(title)) return title
  let text = title
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(inlinePair, (_, name: string, inner: string) =>
      name.toLowerCase() === 'sup' ? `${raisedStart}${inner}${raisedEnd}` : inner,
    )
  }
  return cleanPageText(withRaised(text).replace(/(?<=[^\s>])\s?(?:<|&lt;)br\s?\/?(?:>|&gt;)(?=.)/gi, ' '))
}

const inlinePair =
  /(?:<|&lt;)(abbr|b|bdi|cite|code|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var)(?:\s[^<>&]{0,200})?(?:>|&gt;)((?:[^<&]|&(?!lt;)){1,400})(?:<|&lt;)\/\1(?:>|&gt;)/gi

const tagPattern = /(?:<|&lt;)(\/?)([a-z][a-z0-9]*)(\/?|\s(?:(?!&[lg]t;)[^<>]){0,400})(?:>|&gt;)/gi

/** Names that are also those of types in programs, such as `object`, are left out. */
const tagNames: ReadonlySet<string> = new Set(words(textWords.tagNames))

/** Returns whether a text is a template that was not filled in, also as one part of a title, or what is printed for nothing. */
export function isPlaceholder(text: string): boolean {
  if (!telling.test(text)) return false
  const parts = text
    .slice(0, charsMax)
    .split(/\s[-–—|·•:]\s|\|/)
    .map((part) => part.trim())
  return (
    /^\s*lorem ipsum(?:\s*$|,? dolor)/i.test(text) ||
    unfilledConstant.test(text) ||
    parts.every((part) => printedNothing.test(part)) ||
    parts.some((part) => part !== '' && withoutTemplates(part).trim() === '')
  )
}

/** Returns whether a program left a template in a part of a URL. */
export function isPlaceholderUrl(raw: string): boolean {
  if (!raw.includes('{') && !raw.includes('%')) return isPlaceholder(raw)
  const text = raw.replace(encodedMarks, decodeURIComponent)
  return isPlaceholder(text) || unfilledPart.test(text) || withoutTemplates(text).length < text.length
}

/** Returns whether the file of a URL is what is printed for nothing: `/images/undefined`. */
export function hasPlaceholderFile(url: string): boolean {
  return /\/(?:undefined|null|NaN|(?:\[|%5B)object(?:%20| )Object(?:\]|%5D))(?:[?#]|$)/.test(url)
}

function withoutTemplates(text: string): string {
  let rest = text
  for (const [start, end] of templateMarks) {
    const kept: string[] = []
    let at = 0
    for (let from = rest.indexOf(start); from >= 0; from = rest.indexOf(start, at)) {
      const to = rest.indexOf(end, from + start.length)
      if (to < 0) break
      kept.push(rest.slice(at, from))
      at = to + end.length
    }
    rest = kept.join('') + rest.slice(at)
  }
  return rest.replace(/%%[\w-]+%%/g, '').replace(unfilledName, '')
}

/** A whole text that is one name between the marks of a template, which other texts have around words as well: `{title}`, `%TITLE%`. */
const unfilledName =
  /^\s*(?:#?\{[a-z_][\w.]{0,40}\}|\[\[[a-z_][\w. ]{0,40}\]\]|%[A-Z][A-Z_]{1,40}%|@(?:Model|ViewBag)\.\w{1,40})\s*$/i

/** Alone: `__FILE__ | Manual` is about a constant, and `__init__` is a name in any case. */
const unfilledConstant = /^\s*__[A-Z][A-Z_]{1,40}__\s*$/

const templateMarks = Object.entries(textWords.templateMarks)
/** Files may have an identifier in braces, but not a word. */
const unfilledPart = /\{[a-z_]{2,24}\}/i
const encodedMarks = /%(?:7B|7D|24|25|3C|3E|3F)/gi
const telling = /[{%[]|<(?:[%?]|no t)|__|@(?:Model|ViewBag)|undefined|null|NaN|lorem/i
const printedNothing =
  /^(?:undefined|null|NaN|\[object Object\])(?: (?:undefined|null|NaN|\[object Object\]))*$/
const charsMax = 1_000
/** The link to a heading, which generators put into it. */
export const anchorAtEnd = /(?<![\s\u200b#¶])[\s\u200b#¶]+$/
