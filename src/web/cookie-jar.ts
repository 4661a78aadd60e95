interface Cookie {
  /** Scheme, host and port: a `Domain` is ignored, so no other host gets it. */
  readonly origin: string
  readonly name: string
  readonly value: string
  readonly path: string
  readonly isSecure: boolean
}

/** The cookies of one fetch. A site that sets one and redirects gets it back; nothing outlives the fetch. */
export function createCookieJar() {
  const cookies = new Map<string, Cookie>()

  function take({ cookie, isOver }: { readonly cookie: Cookie; readonly isOver: boolean }): boolean {
    const key = `${cookie.origin} ${cookie.path} ${cookie.name}`
    if (isOver) return cookies.delete(key)
    const current = cookies.get(key)
    if (current?.value === cookie.value) return false
    const isFull = current === undefined && cookies.size >= countMax
    const kept = [...cookies].filter(([other]) => other !== key).map(([, other]) => other)
    const chars = [...kept, cookie].reduce((sum, { name, value }) => sum + name.length + value.length, 0)
    if (isFull || chars > charsMax) return false
    cookies.set(key, cookie)
    return true
  }

  return {
    store(url: URL, setCookies: readonly string[]): boolean {
      const parsed = setCookies.slice(0, countMax).map((header) => parseCookie(header, url))
      return parsed.filter((cookie) => cookie !== undefined && take(cookie)).length > 0
    },
    headerFor(url: URL): string | undefined {
      const own = [...cookies.values()].filter((cookie) => isFor(cookie, url))
      // Longer paths come first (RFC 6265, 5.4).
      own.sort((one, other) => other.path.length - one.path.length)
      return own.length === 0 ? undefined : own.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
  }
}

const countMax = 20
const charsMax = 4_096

function parseCookie(header: string, url: URL) {
  if (header.length > charsMax) return undefined
  const [pair = '', ...rest] = header.split(';')
  const equals = pair.indexOf('=')
  const [name, value] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()]
  if (equals < 1 || name === '' || unprintable.test(name + value)) return undefined
  const attributes = new Map(rest.map(attributeOf))
  const isSecure = attributes.has('secure')
  if (isSecure && url.protocol !== 'https:') return undefined
  const given = attributes.get('path') ?? ''
  // A cookie without a path gets the folder of the URL (RFC 6265, 5.1.4).
  const folder = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')))
  const path = given.startsWith('/') ? given : folder
  return { cookie: { origin: url.origin, name, value, path, isSecure }, isOver: isExpired(attributes) }
}

function attributeOf(text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split('=')
  return [name.trim().toLowerCase(), value.join('=').trim()]
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0
  // Sites take a cookie back with a date long ago; a later one is after this fetch.
  return Date.parse(attributes.get('expires') ?? '') < longAgoMs
}

const longAgoMs = Date.UTC(2010, 0, 1)

function isFor({ origin, path, isSecure }: Cookie, url: URL): boolean {
  if (origin !== url.origin || (isSecure && url.protocol !== 'https:')) return false
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

const unprintable = /[^ -~]/
