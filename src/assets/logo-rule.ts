import { closestWord } from '../lib/edit-distance.ts'
import { listOf } from '../lib/human-format.ts'
import { iconsBySpelling, spellingOf } from './icons.ts'
import type { Rule } from './kit/asset.ts'

/** Refuses a logo that does not exist. `dataMistake` says what is wrong with a `data:` URL, as the end of a sentence. */
export function logoRule(dataMistake: (logo: string) => string | undefined): Rule {
  return ({ logo }) => {
    if (typeof logo !== 'string') return undefined
    const message = logo.startsWith('data:') ? dataMistake(logo) : iconMistake(logo)
    return message === undefined ? undefined : { parameter: 'logo', message }
  }
}

const dataUrl = /^data:image\/([a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/
export const logoBytesMax = 8192

/** Reads a logo that is a `data:` URL of one of these types, or returns its mistake, as the end of a sentence. */
export function readLogoData<Type extends string>(href: string, types: readonly Type[]) {
  const [, name, base64 = ''] = dataUrl.exec(href) ?? []
  const type = types.find((each) => each === name)
  if (type === undefined) return `must be a base64 data URL of type ${listOf(types)}`
  const bytes = Buffer.from(base64.slice(0, 2 * logoBytesMax), 'base64')
  return bytes.byteLength > logoBytesMax ? `must have at most ${logoBytesMax} bytes` : { type, bytes }
}

/** The fault of an icon's name, as the end of a sentence; undefined if there is such an icon. */
export function iconMistake(name: string): string | undefined {
  if (iconsBySpelling().has(spellingOf(name))) return undefined
  const closest = closestIcon(name)
  const hint = closest === undefined ? 'simpleicons.org shows them all' : `did you mean ${closest}?`
  return `is not the name of an icon; ${hint}`
}

/** Names that are longer have no icon that is meant, and are not worth the search. */
const nameCharsMax = 100
/** Shorter parts of names are found in too many. */
const partCharsMin = 5
/** Words farther apart are never near. */
const lengthDifferenceMax = 2

/** The icon probably meant: of nearly that name, else of the longest name among the words (`GitHub logo`), else of the shortest that begins so. */
function closestIcon(name: string): string | undefined {
  if (name.length > nameCharsMax) return undefined
  const icons = iconsBySpelling()
  const spelling = spellingOf(name)
  const similar = [...icons.keys()].filter(
    (other) => Math.abs(other.length - spelling.length) <= lengthDifferenceMax,
  )
  const found = closestWord(spelling, similar) ?? longestNameIn(name) ?? shortestThatBegins(spelling)
  return found === undefined ? undefined : icons.get(found)?.slug
}

function longestNameIn(name: string): string | undefined {
  const icons = iconsBySpelling()
  const words = name.split(/[^\p{L}\p{N}.+&]+/u).filter(Boolean)
  const parts = words.flatMap((_, from) =>
    words.slice(from).map((_, length) => spellingOf(words.slice(from, from + length + 1).join(''))),
  )
  return parts
    .filter((part) => part.length >= partCharsMin && icons.has(part))
    .toSorted((one, other) => other.length - one.length)
    .at(0)
}

function shortestThatBegins(spelling: string): string | undefined {
  if (spelling.length < partCharsMin) return undefined
  return [...iconsBySpelling().keys()]
    .filter((other) => other.startsWith(spelling))
    .toSorted((one, other) => one.length - other.length)
    .at(0)
}
