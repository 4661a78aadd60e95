import { percentDecode } from '../../lib/percent-decode.ts'
import { words } from '../../lib/words.ts'

/** Makes a title of a segment of a path: `getting-started.html` becomes `Getting started`. */
export function slugTitle(slug: string): string {
  const text = (percentDecode(slug) ?? slug)
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  const spelled = text
    .split(' ')
    .map((word) => (isAcronym(word) ? word.toUpperCase() : word))
    .join(' ')
  const [first = '', ...rest] = [...spelled]
  return first.toUpperCase() + rest.join('')
}

function isAcronym(word: string): boolean {
  return acronyms.has(word.toLowerCase()) || /^[bcdfghjklmnpqrstvwxz]{2,4}$/i.test(word)
}

const acronyms: ReadonlySet<string> = new Set(
  words('ai api apis aws cli cpu eu faq gpu io oauth os seo ui uk us url urls ux yaml'),
)
