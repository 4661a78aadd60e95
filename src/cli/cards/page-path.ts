import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { decodeXML } from 'entities'
import { percentDecode } from '../../lib/query-pairs.ts'
import { hasPrivateHost } from '../../web/url-rules.ts'
import { textIfReadable } from '../read-text.ts'

/** Spellings of a page's own path, decoded, the usual one first: `docs/a/` for `docs/a/index.html`, `about.html` and `about` for `about.html`. */
export function ownPaths(file: string): readonly string[] {
  const folder = /^(.*\/)?index\.x?html?$/i.exec(file)
  if (folder !== null) {
    const path = folder[1] ?? ''
    return path === '' ? ['', file] : [path, path.slice(0, -1), file]
  }
  const name = file.replace(/\.x?html?$/i, '')
  return [file, name, `${name}/`]
}

export function isFrontPage(file: string): boolean {
  return ownPaths(file)[0] === ''
}

export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Returns what stands before the page's own path, with a slash at the end; undefined for the address of another page. */
export function baseOf(address: string, file: string): string | undefined {
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const path = (percentDecode(url.pathname) ?? url.pathname).normalize().slice(1)
  for (const own of ownPaths(file).toSorted((one, other) => other.length - one.length)) {
    const wanted = own.normalize()
    const before = path.slice(0, path.length - wanted.length)
    if (path.endsWith(wanted) && (before === '' || before.endsWith('/')))
      return `${url.origin}/${encodedPath(before)}`
    // The front page below a path, without the slash that belongs there.
    if (own === '') return `${url.origin}/${encodedPath(`${path}/`)}`
  }
  return undefined
}

export function createBaseVote() {
  const votes = new Map<string, number>()
  let total = 0
  return {
    add(base: string | undefined): void {
      if (base === undefined) return
      total += 1
      votes.set(base, (votes.get(base) ?? 0) + 1)
    },
    winner(): string | undefined {
      const [first] = [...votes].sort(([, one], [, other]) => other - one)
      return first !== undefined && first[1] * 2 > total ? first[0] : undefined
    },
  }
}

/** A base whose host is not private: a site that was built for `localhost` does not say where it will be. */
export function publicBase(base: string | undefined): string | undefined {
  return base === undefined || hasPrivateHost(new URL(base)) ? undefined : base
}

export function readBase(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.search + url.hash !== '')
    throw new Error(`--base must be an absolute http or https address without a query, not ${text}.`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** The base by the sitemaps of a folder: what stands before the paths of pages in most of their addresses. */
export function baseOfSitemaps(folder: string, pages: readonly string[]): string | undefined {
  const fileOf = new Map(pages.flatMap((file) => ownPaths(file).map((path) => [path, file] as const)))
  const vote = createBaseVote()
  for (const name of readdirSync(folder).toSorted()) {
    if (!/^sitemap[\w.-]*\.xml$/i.test(name)) continue
    const text = textIfReadable(join(folder, name))
    for (const [, raw = ''] of text.matchAll(/<loc>([^<]{1,4096})<\/loc>/g)) {
      const address = decodeXML(raw.trim())
      vote.add(publicBase(baseOfAny(address, fileOf)))
    }
  }
  return vote.winner()
}

export function baseOfCname(folder: string): string | undefined {
  const [host = ''] = textIfReadable(join(folder, 'CNAME')).trim().split(/\s/)
  return /^[a-z\d.-]+\.[a-z\d-]+$/i.test(host) ? URL.parse(`https://${host}/`)?.href : undefined
}

function baseOfAny(address: string, fileOf: ReadonlyMap<string, string>): string | undefined {
  const decoded = percentDecode(URL.parse(address)?.pathname ?? '')
  for (let at = 1; decoded && at > 0; at = decoded.indexOf('/', at) + 1) {
    const file = fileOf.get(decoded.slice(at))
    if (file !== undefined) return baseOf(address, file)
  }
  return undefined
}
