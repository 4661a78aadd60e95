import type { Asset } from '../../assets/kit/asset.ts'
import type { ErrorCode } from '../../errors.ts'
import { basePathOf } from '../../http/base-path.ts'
import { possibleErrors } from '../reference/errors-page.tsx'
import { readGuide } from './guide-page.tsx'
import { guidePath, guides } from './guides.ts'

/** A place of the documentation: its path, its page, its heading, and the words below it. */
type Entry = readonly [path: string, page: string, heading: string, words: string]

/** Longest text of a section, in characters. Sections that are longer are tables of settings or results. */
const wordsMax = 1200

/** `/docs/search.json`: what the search of the documentation looks through, in the browser. */
export async function searchIndex(
  assets: readonly Asset[],
  isPaid: boolean,
  origin: string,
): Promise<string> {
  const sections = await Promise.all(
    guides.map(async (guide): Promise<readonly Entry[]> => {
      const { sections } = await readGuide(guide, origin)
      return sections.map(({ id, text, words }, index) => [
        guidePath(guide) + (index === 0 ? '' : `#${id}`),
        guide.label,
        text,
        words.slice(0, wordsMax).trim(),
      ])
    }),
  )
  const entries = [...assets.map(assetEntry), ...sections.flat(), ...possibleErrors(isPaid).map(errorEntry)]
  const basePath = basePathOf(origin)
  return JSON.stringify(entries.map(([path, ...entry]) => [basePath + path, ...entry]))
}

function assetEntry({ id, title, summary, query }: Asset): Entry {
  return [`/docs#${id}`, 'Reference', title, `${summary}. ${Object.keys(query.properties).join(' ')}`]
}

function errorEntry([code, { title, remedy }]: readonly [string, ErrorCode]): Entry {
  return [`/docs/errors#${code}`, 'Errors', code, `${title}. ${remedy}`]
}
