export function headerParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(parameter)) {
    const key = name.toLowerCase()
    const value = quoted === undefined ? plain.trim().replace(/^"/, '') : quoted.replace(escaped, '$1')
    if (!parameters.has(key)) parameters.set(key, value)
  }
  return parameters
}

export function linkHeader(header: string, relation: string): string | null {
  for (const [, target = '', rest = ''] of header.slice(0, headerCharsMax).matchAll(link)) {
    const parameters = headerParameters(rest)
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // With an anchor it is a link of something else than this page.
    if (relations.includes(relation) && !parameters.has('anchor')) return target.trim()
  }
  return null
}

const parameter = /(?:^|;)\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** A comma ends a link where it stands neither in its address nor in quotes. */
const link = /<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",])*)/g

/** Some write the path of a Windows machine into quotes, whose backslashes escape nothing. */
const escaped = /\\(["\\])/g

const headerCharsMax = 8_192
