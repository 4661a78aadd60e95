/** Parameters of a header value, such as `filename` of Content-Disposition; names in lower case. */
export function headerParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(parameter)) {
    const key = name.toLowerCase()
    const value = quoted === undefined ? plain.trim().replace(/^"/, '') : quoted.replace(escaped, '$1')
    if (!parameters.has(key)) parameters.set(key, value)
  }
  return parameters
}

/** Returns the target of a Link header (RFC 8288) with this relation to the page itself. */
export function linkHeader(header: string, relation: string): string | undefined {
  for (const [, target = '', rest = ''] of header.slice(0, headerCharsMax).matchAll(link)) {
    const parameters = headerParameters(rest)
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // A link with an anchor belongs to another resource.
    if (relations.includes(relation) && !parameters.has('anchor')) return target.trim()
  }
  return undefined
}

const parameter = /(?:^|;)\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** A comma ends a link, except within its target or quotes. */
const link = /<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",])*)/g

/** Other backslashes stay: some servers send a Windows path, where they escape nothing. */
const escaped = /\\(["\\])/g

const headerCharsMax = 8_192
