import { liveNames, type SourceParameter } from '../../assets/badge/live/source.ts'
import { badgeQuery, checkImageLogo } from '../../assets/badge/query.ts'
import { withinCharacters } from '../../lib/human-format.ts'
import { cleanText } from '../../text/clean-text.ts'
import { createValueCheck, type ParameterPair, type Parameters } from './parameters.ts'

export interface BadgeService {
  /** Our name for a parameter, by its name there. Undefined for one that means nothing there. */
  readonly names: ReadonlyMap<string, string | undefined>
  readonly color: (text: string) => string | undefined
  readonly icon: (name: string) => string | undefined
}

export interface BadgeWords {
  readonly label: string
  readonly message: string
  readonly color: string
}

/** Our own parameters of a badge of another service, without the mistakes that the service overlooks. */
export function badgeParameters(
  parameters: Parameters,
  words: BadgeWords,
  service: BadgeService,
): readonly ParameterPair[] {
  const given = new Map(
    [...parameters].flatMap(([name, values]): [string, readonly string[]][] => {
      const ours = service.names.has(name) ? service.names.get(name) : name
      return ours === undefined || ownNames.has(name) ? [] : [[ours, values]]
    }),
  )
  const label = withinCharacters(given.get('label')?.at(-1) ?? words.label, labelLengthMax)
  const message = withinCharacters(given.get('value')?.at(-1) ?? words.message, messageLengthMax)
  const color = lastReadable(given.get('color'), service.color) ?? service.color(words.color)
  const links = (given.get('link') ?? []).filter((link) => isTaken('link', link)).slice(0, 2)
  const looks = [...given].flatMap(([name, values]): ParameterPair[] => {
    const read = readerOf(name, service)
    const value = writtenNames.has(name) ? undefined : lastReadable(values, read)
    return value === undefined ? [] : [[name, value]]
  })
  return [
    ['label', label],
    ['value', cleanText(message) === '' ? emptyMessage : message],
    ...(color === undefined ? [] : [['color', color] as const]),
    ['emojiWidth', 'shields'],
    ...links.map((link) => ['link', link] as const),
    ...looks,
  ]
}

const isTaken = createValueCheck(badgeQuery)
const labelLengthMax = Number(badgeQuery.properties.label.maxLength)
const messageLengthMax = Number(badgeQuery.properties.value.maxLength)

/** The native parameter must not be empty, and invisible characters are drawn as nothing. */
const emptyMessage = '\u2060'

const ownNames = new Set(['status', 'value', 'more', 'width', 'lang', 'emojiWidth', ...liveNames])

const writtenNames = new Set(['label', 'value', 'color', 'link'])

type ReadValue = (text: string) => string | undefined

function readerOf(name: string, { color, icon }: BadgeService): ReadValue {
  if (name === 'labelColor' || name === 'logoColor') return color
  if (name === 'logo') return (text) => pictureOf(text) ?? icon(text)
  if (name === 'style') return styleOf
  return (text) => (isTaken(name, text) ? text : undefined)
}

/** The last value that can be read, as of a repeated parameter the last one counts there. */
function lastReadable(values: readonly string[] | undefined, read: ReadValue): string | undefined {
  return values?.map(read).findLast((value) => value !== undefined)
}

/** The styles that moved away, `popout` and `popout-square`, look as the flat ones. */
function styleOf(text: string): string | undefined {
  const style = text.replace(/^popout/, 'flat')
  return isTaken('style', style) ? style : undefined
}

/** A picture's address, which may lack its scheme, and whose plus signs may have become spaces. */
function pictureOf(text: string): string | undefined {
  const href = text.replace(/^(?=image\/)/, 'data:').replaceAll(' ', '+')
  return href.startsWith('data:') && checkImageLogo(href) === undefined ? href : undefined
}

/** The label and the colour that shields.io gives a dynamic badge. */
const dynamicWords = { label: 'custom badge', message: '', color: 'blue' }
const endpointWords = { label: '', message: '', color: '' }

/** Our own parameters of a badge that shields.io fills from a document. It always answers with a badge. */
export function liveBadgeParameters(
  parameters: Parameters,
  source: SourceParameter,
  service: BadgeService,
): readonly ParameterPair[] {
  const isEndpoint = source === 'endpoint'
  const drawn = badgeParameters(parameters, isEndpoint ? endpointWords : dynamicWords, service)
  const isLabelled = parameters.has('label') || !isEndpoint
  const url = lastOf(parameters, 'url') ?? lastOf(parameters, 'uri') ?? ''
  return [
    ...drawn.filter(([name]) => name !== 'value' && (isLabelled || name !== 'label')),
    [source, url],
    ...(isEndpoint ? [] : pathParameters(parameters, source)),
    ['fallback', 'badge'],
  ]
}

const affixes = ['prefix', 'suffix'] as const

function pathParameters(parameters: Parameters, source: SourceParameter): readonly ParameterPair[] {
  const given = affixes.flatMap((name): ParameterPair[] => {
    const text = lastOf(parameters, name)
    return text ? [[name, withinCharacters(text, Number(badgeQuery.properties[name].maxLength))]] : []
  })
  const query = lastOf(parameters, 'query') ?? ''
  return [['query', source === 'xml' ? query.trim() : goessnerPath(query)], ...given]
}

function lastOf(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.at(-1)
}

/**
 * A path in the older notation that shields.io reads, as JSONPath of RFC 9535: `version` and `.version` are `$.version`,
 * `$.dist-tags.latest` is `$['dist-tags'].latest`, `$.0` is `$[0,'0']`, and `===` is `==`. A path of the RFC stays as it is.
 */
export function goessnerPath(text: string): string {
  const path = text.trim()
  const rest = path.startsWith('$') ? path.slice(1) : /^[.[]/.test(path) ? path : `.${path}`
  let rewritten = '$'
  let at = 0
  while (at < rest.length) {
    const part = partAt(rest, at)
    if (part === undefined) return path
    rewritten += part.rewritten
    at += part.length
  }
  return rewritten
}

/** A name, or a bracket, behind one dot or two. */
const dotted = /(\.\.?)(?:(?=\[)|([^.[\]]+))/y

function partAt(path: string, at: number): { length: number; rewritten: string } | undefined {
  if (path[at] === '[') {
    const end = endOfBracket(path, at)
    return end === undefined ? undefined : { length: end - at, rewritten: bracket(path.slice(at, end)) }
  }
  dotted.lastIndex = at
  const [whole, dots = '', name] = dotted.exec(path) ?? []
  return whole === undefined ? undefined : { length: whole.length, rewritten: member(dots, name) }
}

const shorthand = /^(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*|\*)$/

function member(dots: string, name: string | undefined): string {
  // A single dot before a bracket means nothing.
  const before = dots === '..' ? dots : ''
  if (name === undefined) return before
  if (shorthand.test(name)) return dots + name
  return /^\d{1,9}$/.test(name) ? `${before}[${Number(name)},'${name}']` : `${before}[${quoted(name)}]`
}

function bracket(text: string): string {
  const inner = text.slice(1, -1).trim()
  if (/^[A-Za-z_$@][\w$@-]*$/.test(inner)) return `[${quoted(inner)}]`
  return inner.startsWith('?') ? text.replace(/([!=]=)=/g, '$1') : text
}

function quoted(name: string): string {
  return `'${name.replace(/[\\']/g, '\\$&')}'`
}

function endOfBracket(path: string, start: number): number | undefined {
  let depth = 0
  let quote: string | undefined
  for (let at = start; at < path.length; at += 1) {
    const character = path[at]
    if (quote !== undefined) {
      if (character === '\\') at += 1
      else if (character === quote) quote = undefined
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth += 1
    else if (character === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}
