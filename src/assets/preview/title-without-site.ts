import { words } from '../../lib/words.ts'
import { nonEmptyText } from './page-text.ts'
import {
  before,
  behind,
  fitsHost,
  hasSiteWord,
  letters,
  splitTitle,
  titleParts,
  withoutSlogan,
} from './site-name.ts'

/** The site of a title: its host, the name that its pages say, and parts that most titles share, as letters. */
export interface TitledSite {
  readonly host: string
  readonly name: string | undefined
  readonly titleParts: ReadonlySet<string>
}

/** The text behind the page's own heading is a name of the site, too: in another language, or of a part of it. */
export function titleWithoutSite(
  {
    title,
    siteName,
    description = '',
    heading,
  }: Partial<Record<'title' | 'siteName' | 'description' | 'heading', string | undefined>>,
  site: TitledSite,
  isFrontPage: boolean,
): string | undefined {
  if (title === undefined) return undefined
  const declared = [siteName, site.name].flatMap((name) => [name, withoutSlogan(name)])
  const names = new Set(declared.flatMap((name) => (name === undefined ? [] : [letters(name)])))
  const headed = letters(heading ?? '')
  function isSite(part: string, whole = '', behindIt = ''): boolean {
    const key = letters(part)
    const isHeading = headed !== '' && letters(whole) === headed && !hasSiteWord(part)
    const isShared = site.titleParts.has(key) && !isHeading
    return names.has(key) || isShared || (key !== headed && fitsHost(part, `https://${site.host}/`, behindIt))
  }
  let rest = withoutBrackets(withoutDescription(nonEmptyText(title) ?? title, description), isSite)
  let parts = splitTitle(rest)
  // A headline may have a colon, which separates parts where nothing else does.
  const whole = parts.map(({ text }) => text)
  for (
    let last = parts.at(-1);
    parts.length > 1 && last !== undefined && whole.lastIndexOf(last.text) > 0 && isSite(last.text, rest);
    last = parts.at(-1)
  ) {
    rest = before(rest, last)
    parts = splitTitle(rest)
  }
  for (
    let [first] = parts;
    parts.length > 1 && first !== undefined && isSite(first.text, rest, rest.slice(first.text.length));
    [first] = parts
  ) {
    if (!whole.slice(0, -1).includes(first.text)) break
    const others = behind(rest, first)
    const isSaid = letters(others).includes(letters(first.text))
    if (isFrontPage && !isSaid && !homeWords.has(letters(parts.at(-1)?.text ?? ''))) break
    rest = others
    parts = splitTitle(rest)
  }
  if (isFrontPage) return homeWords.has(letters(rest)) ? (siteName ?? site.name ?? rest) : rest
  const isHeading = heading !== undefined && rest.startsWith(heading) && !isSite(heading)
  return isHeading && startsWithSeparator.test(rest.slice(heading.length)) ? heading : rest
}

function withoutDescription(title: string, description: string): string {
  const rest =
    description !== '' && title.endsWith(description) ? title.slice(0, title.length - description.length) : ''
  return separatorAtEnd.test(rest) ? rest.replace(separatorAtEnd, '') || title : title
}

/** Javadoc names the site in brackets: `JsonNode (Jackson 2.9.0 API)`. */
function withoutBrackets(title: string, isSite: (part: string) => boolean): string {
  const [whole = '', inside = ''] = bracketsAtEnd.exec(title) ?? []
  return inside !== '' && isSite(inside) ? title.slice(0, title.length - whole.length) : title
}

/** The parts of a title that may be the name of a site or of a part of it, also in brackets at the end; the likelier ones first. */
export function namesInTitle(title: string | undefined): readonly string[] {
  const parts = titleParts(title)
  const names = [parts.at(-1), parts[0], bracketsAtEnd.exec(title ?? '')?.[1], ...parts]
  return [...new Set(names.filter((part) => part !== undefined))]
}

const bracketsAtEnd = / \(([^()]{1,60})\)$/
const startsWithSeparator = /^\s+[-–—·•~/|»«›‹｜_]\s/
const separatorAtEnd = / ?[-–—:·•~/|»«›‹｜_] ?$/

/** Names that generators give to a front page, which say nothing on a card. */
const homeWords = new Set(
  words(
    'home homepage index start startseite accueil inicio início main-page overview generated-documentation-untitled',
  ).map(letters),
)
