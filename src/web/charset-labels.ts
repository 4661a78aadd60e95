/** Returns the encoding that a label names, as the lower-case name of the Encoding Standard; undefined if it names none. */
export function encodingOf(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  const name = label.trim().toLowerCase()
  try {
    return new TextDecoder(
      aliases.get(name) ?? aliases.get(name.replace(/^x-/, '')) ?? name,
    ).encoding.toLowerCase()
  } catch {
    return undefined
  }
}

export function charsetParameter(contentType: string): string | undefined {
  return /charset\s*=[\s"']*([^\s"';,]+)/i.exec(contentType)?.[1]
}

/** Labels that servers send though the Encoding Standard does not list them. */
const aliases = new Map([
  ['cp932', 'shift_jis'],
  ['ms932', 'shift_jis'],
  ['windows-932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['windows-936', 'gbk'],
  ['ms936', 'gbk'],
  ['hz-gb-2312', 'gbk'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['cp950', 'big5'],
  ['ms950', 'big5'],
  ['utf8mb4', 'utf-8'],
  ['utf_8', 'utf-8'],
  ['utf-8-sig', 'utf-8'],
])

/** The likely encoding of a page without a declaration, by the HTML Standard's table of locales. */
export const tldEncodings: ReadonlyMap<string, string> = new Map<string, string>([
  ...['ru', 'su', 'by', 'ua', 'bg', 'kg', 'kz', 'mk', 'rs', 'tj', 'xn--p1ai'].map(
    (tld) => [tld, 'windows-1251'] as const,
  ),
  ...['cz', 'hu', 'pl', 'sk', 'si', 'hr'].map((tld) => [tld, 'windows-1250'] as const),
  ...['ee', 'lt', 'lv'].map((tld) => [tld, 'windows-1257'] as const),
  ...['cn', 'sg'].map((tld) => [tld, 'gbk'] as const),
  ...['tw', 'hk', 'mo'].map((tld) => [tld, 'big5'] as const),
  ['jp', 'shift_jis'],
  ['kr', 'euc-kr'],
  ['gr', 'windows-1253'],
  ['tr', 'windows-1254'],
  ['il', 'windows-1255'],
  ['ir', 'windows-1256'],
  ['eg', 'windows-1256'],
  ['sa', 'windows-1256'],
  ['th', 'windows-874'],
  ['vn', 'windows-1258'],
])
