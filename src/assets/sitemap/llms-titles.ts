import { words } from '../../lib/words.ts'
import { fitsHost, letters, titleParts } from '../preview/site-identity.ts'
import type { LlmsPage } from './llms-page.ts'
import { plainText } from './plain-text.ts'
import { slugTitle } from './slug-title.ts'

/** Gives each page of a site a title of its own, without the name of the site. */
export class LlmsTitles {
  readonly #siteNames: ReadonlySet<string>
  readonly #used = new Set<string>()

  /** @param pages all pages, because a part that most of their titles share names the site */
  constructor(names: readonly (string | undefined)[], pages: readonly LlmsPage[]) {
    const given = names.flatMap((name) => (name === undefined ? [] : [letters(name)]))
    this.#siteNames = new Set([...given, ...sharedParts(pages)].filter((name) => name !== ''))
  }

  titleOf(page: LlmsPage): string {
    const own = [page.title, page.heading]
    const others = [page.listedTitle, ...(page.linkTexts ?? [])]
    const isHome = new URL(page.url).pathname === '/'
    const candidates = [...own, ...others]
      .map((raw) => plainText(this.#withoutSite(raw, page.url), titleCharsMax))
      .filter((text) => text !== undefined)
      .filter((text) => isHome || this.#isTelling(text))
    const all = [...candidates, slugOf(page.url)]
    const [title = ''] = [...all.filter((text) => !this.#used.has(letters(text))), ...all]
    return this.#unique(title, page.url)
  }

  /** Two lines of the same words say nothing: the second gets the folder of its page. */
  #unique(title: string, url: string): string {
    const key = letters(title)
    const isNew = !this.#used.has(key)
    this.#used.add(key)
    const folder = plainText(slugTitle(segmentsOf(url).at(-2) ?? ''), titleCharsMax)
    return isNew || title === unnamed || folder === undefined ? title : `${title} (${folder})`
  }

  #withoutSite(raw: string | undefined, url: string): string | undefined {
    let text = raw?.trim()
    for (let parts = titleParts(text); text !== undefined && parts.length > 1; parts = titleParts(text)) {
      const [first = '', last = ''] = [parts[0], parts.at(-1)]
      if (this.#isSite(last, url)) text = text.slice(0, text.lastIndexOf(last)).replace(separatorsAtEnd, '')
      else if (this.#isSite(first, url))
        text = text.slice(text.indexOf(first) + first.length).replace(separatorsAtStart, '')
      else break
    }
    return text
  }

  #isSite(part: string, url: string): boolean {
    return (
      this.#siteNames.has(letters(part)) ||
      (part.length <= siteCharsMax && letters(part).length > 3 && fitsHost(part, url))
    )
  }

  #isTelling(text: string): boolean {
    const key = letters(text)
    return /\p{L}/u.test(text) && !this.#siteNames.has(key) && !sayNothing.has(key)
  }
}

/** A first or last part of titles that half of the pages have, and at least two. */
function sharedParts(pages: readonly LlmsPage[]): readonly string[] {
  const counts = new Map<string, number>()
  const titled = pages.filter(({ title }) => title !== undefined)
  for (const { title } of titled) {
    const parts = titleParts(title)
    if (parts.length < 2) continue
    for (const part of new Set([letters(parts[0] ?? ''), letters(parts.at(-1) ?? '')]))
      counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > 2 && count * 2 >= titled.length).map(([part]) => part)
}

function slugOf(url: string): string {
  const last = segmentsOf(url).at(-1)
  return last === undefined ? 'Home' : (plainText(slugTitle(last), titleCharsMax) ?? unnamed)
}

function segmentsOf(url: string): readonly string[] {
  return new URL(url).pathname.split('/').filter((segment) => segment !== '')
}

const unnamed = 'Page'
const separatorsAtEnd = /[\s\-–—|:·•~/»«›‹｜_]{1,20}$/
const separatorsAtStart = /^[\s\-–—|:·•~/»«›‹｜_]+/
export const titleCharsMax = 120
const siteCharsMax = 60

/** Texts of links that do not name their page. */
const sayNothing: ReadonlySet<string> = new Set(
  words(`
    more readmore learnmore seemore viewmore showmore continuereading readon here clickhere link details viewdetails
    next previous prev back older newer olderposts newerposts start open view go top skiptocontent skiptomaincontent
    permalink website readthepost readarticle viewall seeall all untitled loading pagenotfound notfound mehr
    weiterlesen mehrlesen hier zuruck weiter leermas mas aqui siguiente anterior lirelasuite ensavoirplus plus ici
    suivant precedent leggitutto altro leesmeer saibamais leiamais подробнее читатьдалее 続きを読む もっと見る 更多 阅读更多
  `),
)
