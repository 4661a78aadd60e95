import { checkImageLogo } from '../../assets/badge/check-image-logo.ts'
import { liveNames } from '../../assets/badge/live/source.ts'
import { badgeQuery } from '../../assets/badge/query.ts'
import { withinCharacters } from '../../lib/within-characters.ts'
import { cleanText } from '../../text/clean-text.ts'
import { createValueCheck, type ParameterPair, type Parameters } from './parameters.ts'

/** How one of the services reads the parameters of a badge. */
export interface BadgeService {
  /** Our name for a parameter, by its name there. Undefined for one that means nothing there. */
  readonly names: ReadonlyMap<string, string | undefined>
  /** Hex digits for a colour; undefined for text that is none. */
  readonly color: (text: string) => string | undefined
  /** The slug of an icon; undefined for a name that nobody has. */
  readonly icon: (name: string) => string | undefined
}

/** The texts and the colour in the path. */
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
  const color = lastOf(given.get('color'), service.color) ?? service.color(words.color)
  const links = (given.get('link') ?? []).filter((link) => isTaken('link', link)).slice(0, 2)
  const looks = [...given].flatMap(([name, values]): ParameterPair[] => {
    const read = readerOf(name, service)
    const value = writtenNames.has(name) ? undefined : lastOf(values, read)
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

/** Parameters of ours that mean nothing in these URLs. */
const ownNames = new Set(['status', 'value', 'more', 'width', 'lang', 'emojiWidth', ...liveNames])

/** Parameters that are written by themselves. */
const writtenNames = new Set(['label', 'value', 'color', 'link'])

/** Returns our spelling of a value; undefined for one that is left out. */
type ReadValue = (text: string) => string | undefined

function readerOf(name: string, { color, icon }: BadgeService): ReadValue {
  if (name === 'labelColor' || name === 'logoColor') return color
  if (name === 'logo') return (text) => pictureOf(text) ?? icon(text)
  if (name === 'style') return styleOf
  return (text) => (isTaken(name, text) ? text : undefined)
}

/** The last value that can be read, as of a repeated parameter the last one counts there. */
function lastOf(values: readonly string[] | undefined, read: ReadValue): string | undefined {
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
