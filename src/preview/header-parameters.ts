/** The `name=value` pairs of a header such as `inline; filename="a.zip"`, by lower-case name. The first of a name counts. */
export const headerParameters = (text: string): ReadonlyMap<string, string> => {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    const value = quoted === undefined ? plain.trim().replace(/^"/, '') : quoted.replace(ESCAPED, '$1')
    if (!parameters.has(key)) parameters.set(key, value)
  }
  return parameters
}

/** The first target that a Link header names for this relation. */
export const linkHeader = (header: string, relation: string): string | null => {
  for (const [, target = '', rest = ''] of header.slice(0, HEADER_CHARS_MAX).matchAll(LINK)) {
    const parameters = headerParameters(rest)
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // With an anchor it is a link of something else than this page.
    if (relations.includes(relation) && !parameters.has('anchor')) return target.trim()
  }
  return null
}

const PARAMETER = /(?:^|;)\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** A comma ends a link where it stands neither in its address nor in quotes. */
const LINK = /<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",])*)/g

/** Some write the path of a Windows machine into quotes, whose backslashes escape nothing. */
const ESCAPED = /\\(["\\])/g

const HEADER_CHARS_MAX = 8_192
