import type { ParsedPage } from '../preview/page-parser.ts'
import { letters } from '../preview/site-name.ts'
import titles from './error-titles.json' with { type: 'json' }

/** Whether a page that came with a good status says that there was an error, or that nobody may see it. */
export function isErrorPage({ fields, outline }: ParsedPage): boolean {
  const { title } = fields
  if (title === null || outline.textChars > charsMax) return false
  return [title, ...title.split(besideSite)].some((part) => isErrorTitle(part))
}

/** Stands between a title and the name of its site. A colon does not: what follows it goes on with the title. */
const besideSite = /\s[-–—·•|]\s|\|/

/** An article on errors is longer. */
const charsMax = 1_500

function isErrorTitle(text: string): boolean {
  const key = letters(text.replace(statusCode, ''))
  return errorTitles.has(key) || (key === '' && /\d/.test(text))
}

/** `404`, `Error 404:`, `HTTP 503 -` */
const statusCode = /\b(?:(?:http|status)\s*)?(?:error\s*|fehler\s*|erreur\s*)?(?:code\s*)?[45]\d\d\b/gi

const errorTitles: ReadonlySet<string> = new Set(titles.map(letters))
