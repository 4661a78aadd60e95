import { dayMs } from '../../lib/clock.ts'
import { formatCompact } from '../../lib/human-format.ts'
import { isJsonObject, type JsonObject, saidOnly } from '../../lib/json.ts'
import { codeLengthMax, codeLinesMax, untilDaysMax } from '../og/templates/forms.ts'
import { isListPage } from '../preview/fields/texts.ts'
import { normalizeDate } from '../preview/find-date.ts'
import { asList, nameOf, textOf, typesOf } from '../preview/linked-data.ts'
import { linesBelowHeading } from '../preview/nearest-to-heading.ts'
import type { ParsedPage } from '../preview/page-parser.ts'
import { anchorAtEnd } from '../preview/page-text.ts'
import { metaContents, type PreviewedPage } from '../preview/rule.ts'
import { letters, titleParts } from '../preview/site-name.ts'
import actions from './action-labels.json' with { type: 'json' }

export type ReadPage = Pick<ParsedPage, 'fields' | 'metadata' | 'page'>

export function templateFacts({ fields, metadata, page }: ReadPage) {
  const { primary } = page.linkedData
  const event = eventOf(page)
  const release = releaseOf(page)
  const person = personOf(page)
  const code = codeOf(page)
  const isPhoto = isAbout(page, /^(?:Photograph|ImageObject)$/)
  const author = authorOf(page, fields.authors[0])
  const { article, body } = metadata.words
  const isList = metadata.articles > 1
  return {
    // The page is one of these, besides an article.
    fits: [
      ...(event !== undefined && isCurrent(event, page.nowMs) ? (['event'] as const) : []),
      ...(release === undefined ? [] : (['release'] as const)),
      ...(code?.isSubject ? (['code'] as const) : []),
      ...(person === undefined ? [] : (['profile'] as const)),
      ...(isPhoto ? (['photo'] as const) : []),
    ],
    // Words of its text, or their worth in scripts without spaces.
    words: isList ? 0 : Math.round(article > 0 ? article : body),
    ...saidOnly({
      ...event,
      ...release,
      role: roleOf(person ?? author) ?? metaContents(page, 'jobtitle', 'itemprop', 1)[0],
      face: pictureOf(page, person ?? author),
      code: code?.text,
      language: code?.language,
      person: person && textOf(person['name']),
      minutes: minutesOf(page),
      stats: statsOf(person ?? primary, fields.lang),
    }),
  }
}

function minutesOf(page: PreviewedPage): string | undefined {
  const declared = ['1', '2'].map((number) =>
    ['label', 'data'].map((key) => metaContents(page, `twitter:${key}${number}`, 'name', 1)[0]).join(' '),
  )
  for (const line of [...linesBelowHeading(page), ...declared]) {
    const [, before, behind] = readingTime.exec(line) ?? []
    if (before !== undefined || behind !== undefined) return before ?? behind
  }
  return undefined
}

const readingTime =
  /(?<![\d.,])(\d{1,3})[\s-]?(?:min(?:ute|uten|uti|uto)?s?\b\.?|分钟|分鐘|分|분)\s?(?:read\b|(?:to|de|di|of) (?:read|lect|lett|leit)|lesezeit|leestijd|阅读|閱讀|で読|읽)|(?:read(?:ing)? time|lesezeit|leestijd|temp[os]+ d[ei] (?:lect|lett|leit)ur[ea]|tiempo de lectura|阅读时[长间]|阅读约|閱讀時間|読了)[^\p{L}\d]{0,6}(?:约|約|ca\.?|~)?\s?(\d{1,3})(?![\d.])/iu

function onlyNode({ linkedData: { nodes } }: PreviewedPage, types: RegExp): JsonObject | undefined {
  const found = nodes.filter((node) => typesOf(node).some((type) => types.test(type)))
  return found.length === 1 ? found[0] : undefined
}

function hasItem({ metadata: { itemTypes } }: PreviewedPage, types: RegExp): boolean {
  return itemTypes.filter((type) => types.test(type.replace(/^.*\//, ''))).length === 1
}

function subjectsOf({ linkedData: { primary, follow } }: PreviewedPage): readonly JsonObject[] {
  return [primary, ...asList(primary?.['mainEntity']).map(follow)].filter(isJsonObject)
}

function isAbout(page: PreviewedPage, types: RegExp): boolean {
  const { primary } = page.linkedData
  const [item = '', ...others] = page.metadata.itemTypes.filter((type) => !itemsAround.test(type))
  return (
    subjectsOf(page).some((node) => typesOf(node).some((type) => types.test(type))) ||
    (primary === undefined && others.length === 0 && types.test(item.replace(/^.*\//, '')))
  )
}

/** Items that other items of a page are in, or beside. */
const itemsAround = /(?:Page|WebSite|Organization|BreadcrumbList|SiteNavigationElement|\/WP\w+)$/

const eventTypes = /^(?!Publication|Broadcast|OnDemand|Delivery).*(?:Event|Festival|Hackathon)$/

/** `date` and `until` are days, or times with their offset. */
function eventOf(page: PreviewedPage): { date: string; until?: string; place?: string } | undefined {
  const node = onlyNode(page, eventTypes)
  const isItem = node === undefined && hasItem(page, eventTypes)
  function said(property: string, meta: string): string | undefined {
    const item = isItem ? metaContents(page, property.toLowerCase(), 'itemprop', 1)[0] : undefined
    return textOf(node?.[property]) ?? item ?? metaContents(page, meta, 'name', 1)[0]
  }
  const date = momentOf(said('startDate', 'event:start_time'))
  if (date === undefined) return undefined
  const until = momentOf(said('endDate', 'event:end_time'))
  const place = placeOf(page, node?.['location']) ?? said('location', 'event:location')
  const at = saidOnly({ place })
  if (until === undefined || until < date || Date.parse(until) - Date.parse(date) > untilDaysMax * dayMs)
    return { date, ...at }
  if (hasTime(date) === hasTime(until)) return { date, until, ...at }
  if (hasTime(date) && until === date.slice(0, 10)) return { date, ...at }
  // Both in one form: of several days the days say more than the hour of the first.
  return { date: date.slice(0, 10), until: until.slice(0, 10), ...at }
}

/** A day, or a time in minutes where it says how far it is from UTC. */
function momentOf(text = ''): string | undefined {
  const [, day = '', time, sign, hours, minutes = '00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?\s?(?:(Z)|([+-]\d\d):?(\d\d)?)?)?/i.exec(text) ??
    []
  if (normalizeDate(day) !== day) return undefined
  const offset = sign === undefined ? hours && `${hours}:${minutes}` : 'Z'
  const moment = time === undefined || offset === undefined ? day : `${day}T${time}${offset}`
  return Number.isNaN(Date.parse(moment)) ? day : moment
}

function hasTime(moment: string): boolean {
  return moment.length > 'YYYY-MM-DD'.length
}

/** An event that begins in the future or began in the last 30 days, at a place or at a time in some zone. */
function isCurrent({ date, place }: NonNullable<ReturnType<typeof eventOf>>, nowMs: number): boolean {
  return Date.parse(date) >= nowMs - 30 * dayMs && (place !== undefined || hasTime(date))
}

function placeOf({ linkedData: { follow } }: PreviewedPage, location: unknown): string | undefined {
  const [place] = asList(location).map(follow)
  if (!isJsonObject(place)) return textOf(place)
  const address = follow(place['address'])
  const city = isJsonObject(address) ? textOf(address['addressLocality']) : textOf(address)
  const name = textOf(place['name']) ?? (typesOf(place).includes('VirtualLocation') ? 'Online' : undefined)
  if (name === undefined || city === undefined) return name ?? city
  return letters(name).includes(letters(city)) ? name : `${name}, ${city}`
}

function releaseOf(page: PreviewedPage) {
  const node = onlyNode(page, applicationTypes)
  const item = hasItem(page, applicationTypes)
    ? metaContents(page, 'softwareversion', 'itemprop', 1)[0]
    : undefined
  const given = textOf(node?.['softwareVersion'] ?? node?.['version']) ?? item
  if (given !== undefined && given.length <= versionCharsMax)
    return { version: given, ...saidOnly({ product: textOf(node?.['name']) }) }
  const headings = page.metadata.headings.filter(({ level }) => level === 1)
  const versions = headings.flatMap(({ text }) => versionOf(text) ?? [])
  const [version] = versions
  if (version === undefined || versions.length > 1) return undefined
  const parts = titleParts(page.metadata.title)
  const product = parts.find((part) => versionOf(part) === undefined && !page.isSiteName(part))
  return { version, product: product ?? parts.find((part) => versionOf(part) === undefined) ?? '' }
}

const applicationTypes = /^(?:Software|Mobile|Web)Application$|^VideoGame$/

function versionOf(text: string): string | undefined {
  const [, version = ''] = versionForm.exec(text.replace(anchorAtEnd, '').trim()) ?? []
  const isDate = /^\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$/.test(version)
  return version === '' || isDate || version.length > versionCharsMax ? undefined : version
}

const versionForm =
  /^(?:(?:version|release|ver\.?)\s+)?(v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+~.]?[a-z\d][\w.+-]*)?)$/i
const versionCharsMax = 20

function codeOf(page: PreviewedPage) {
  const { code } = page.metadata
  const node = onlyNode(page, /^SoftwareSourceCode$/)
  const text = trimmedCode(code?.text ?? textOf(node?.['text']) ?? '')
  if (text === '') return undefined
  const isFirst = code?.isFirst === true && !isListPage(page)
  const isSubject = node !== undefined || hasItem(page, /^SoftwareSourceCode$/) || isFirst
  const language = code?.language ?? nameOf(node?.['programmingLanguage'])?.toLowerCase()
  return { text, isSubject, language }
}

/** Lines as far as a card may show them, and one more by which it sees that there are others. */
function trimmedCode(raw: string): string {
  const text = raw.replace(/\r\n?/g, '\n').replace(/^(?:[ \t]*\n)+|(?<!\s)\s+$/g, '')
  return text
    .split('\n')
    .slice(0, codeLinesMax + 1)
    .join('\n')
    .slice(0, codeLengthMax + 1)
    .toWellFormed()
}

function personOf(page: PreviewedPage): JsonObject | undefined {
  const { primary, follow } = page.linkedData
  const types = primary === undefined ? [] : typesOf(primary)
  if (primary !== undefined && types.includes('ProfilePage')) {
    const [entity] = asList(primary['mainEntity']).map(follow)
    return isJsonObject(entity) ? entity : (onlyNode(page, /^Person$/) ?? {})
  }
  if (isAbout(page, /^Person$/))
    return subjectsOf(page).find((node) => typesOf(node).includes('Person')) ?? {}
  return metaContents(page, 'og:type', 'name', 1)[0]?.toLowerCase() === 'profile' ? {} : undefined
}

function authorOf({ linkedData: { primary, follow } }: PreviewedPage, name = ''): JsonObject | undefined {
  return asList(primary?.['author'] ?? primary?.['creator'])
    .map(follow)
    .filter(isJsonObject)
    .find((node) => letters(textOf(node['name']) ?? '') === letters(name))
}

function roleOf(node: JsonObject | undefined): string | undefined {
  return nameOf(asList(node?.['jobTitle'] ?? node?.['hasOccupation'])[0])
}

function pictureOf({ linkedData: { follow }, resolve }: PreviewedPage, node: JsonObject | undefined) {
  const [picture] = asList(node?.['image']).map(follow)
  const url = isJsonObject(picture) ? (picture['url'] ?? picture['contentUrl']) : picture
  return typeof url === 'string' ? resolve(url) : undefined
}

/** Counts of what people did, such as `1200 followers|37 posts`, in a language that we have their names in. */
function statsOf(node: JsonObject | undefined, lang: string | null): string | undefined {
  const language = (lang ?? 'en').split('-')[0] ?? ''
  const counters = ['interactionStatistic', 'agentInteractionStatistic'].flatMap((key) => asList(node?.[key]))
  const stats = counters.filter(isJsonObject).flatMap((counter) => {
    const type = counter['interactionType']
    const name = (isJsonObject(type) ? typesOf(type)[0] : textOf(type))?.replace(/^.*\//, '') ?? ''
    const labels: Readonly<Record<string, string>> = actions[name as keyof typeof actions] ?? {}
    const count = Number(textOf(counter['userInteractionCount']))
    return labels[language] === undefined || !Number.isSafeInteger(count) || count < 1
      ? []
      : [`${count < 10_000 ? count : formatCompact(count)} ${labels[language]}`]
  })
  return stats.length === 0 ? undefined : [...new Set(stats)].slice(0, 3).join('|')
}
