import { percentDecode } from '../../lib/query-pairs.ts'

/**
 * The spellings of a page's own path in addresses, the usual one first: `docs/a/` for `docs/a/index.html`, `about.html` and
 * `about` for `about.html`. Percent-decoded, without a slash at the beginning.
 */
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
