import { join } from 'node:path'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { textIfReadable } from '../read-text.ts'

/** Notes that a run leaves for the next one beside the pictures. */
export interface Manifest {
  /** Pictures of pages that cards have replaced, because most pages shared them. */
  readonly defaultPictures: readonly string[]
  /** Days since which no page names a picture, by its name. */
  readonly unusedSince: Readonly<Record<string, string>>
}

export function manifestFile(out: string): string {
  return join(out, '.mintmark.json')
}

export function readManifest(path: string): Manifest {
  const value = parseJson(textIfReadable(path))
  const { defaultPictures, unusedSince } = isJsonObject(value) ? value : {}
  return {
    defaultPictures: Array.isArray(defaultPictures)
      ? defaultPictures.filter((each) => typeof each === 'string')
      : [],
    unusedSince: isJsonObject(unusedSince)
      ? Object.fromEntries(
          Object.entries(unusedSince).flatMap(([name, day]) =>
            typeof day === 'string' ? [[name, day]] : [],
          ),
        )
      : {},
  }
}

/** One spelling for one content, because a run that changes nothing must change no byte. */
export function manifestText({ defaultPictures, unusedSince }: Manifest): string {
  const sorted = Object.fromEntries(
    Object.entries(unusedSince).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  return `${JSON.stringify({ defaultPictures: [...defaultPictures].sort(), unusedSince: sorted }, null, 2)}\n`
}
