/** Shorter parts of a URL are words such as `v3`, which no key is. */
const secretCharsMin = 8
/** Characters of a text that are read before its secrets are removed. */
const readCharsMax = 10_000

/**
 * Returns what shortens the texts of another service for the log and the operator, and removes from them the URL that it
 * is called at and the values of its headers, because many services repeat both, and both hold the key of an account.
 */
export function foreignTextOf(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): (text: string, charsMax: number) => string {
  const { pathname, search, username, password, searchParams, host, hostname } = new URL(url)
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  const raw = [pathname + search, ...pathname.split('/'), search, username, password, host, hostname]
  const parts = [...raw, ...raw.map(decodedOf), ...searchParams.values(), ...values]
  const secrets = [...new Set(parts)]
    .filter(({ length }) => length >= secretCharsMin)
    .toSorted((one, other) => other.length - one.length)
  return (text, charsMax) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '…'), text.slice(0, readCharsMax))
      .slice(0, charsMax)
}

function decodedOf(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
