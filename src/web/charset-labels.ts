import { words } from '../lib/words.ts'

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
const aliases = encodingsByName([
  ['shift_jis', 'cp932 ms932 windows-932'],
  ['gbk', 'cp936 windows-936 ms936 hz-gb-2312'],
  ['euc-kr', 'cp949 ms949 uhc'],
  ['big5', 'cp950 ms950'],
  ['utf-8', 'utf8mb4 utf_8 utf-8-sig'],
])

/** The likely encoding of a page without a declaration by its top-level domain, by the HTML Standard's table of locales. */
export const tldEncodings = encodingsByName([
  ['windows-1250', 'cz hu pl sk si hr'],
  ['windows-1251', 'ru su by ua bg kg kz mk rs tj xn--p1ai'],
  ['windows-1253', 'gr'],
  ['windows-1254', 'tr'],
  ['windows-1255', 'il'],
  ['windows-1256', 'ir eg sa'],
  ['windows-1257', 'ee lt lv'],
  ['windows-1258', 'vn'],
  ['windows-874', 'th'],
  ['big5', 'tw hk mo'],
  ['euc-kr', 'kr'],
  ['gbk', 'cn sg'],
  ['shift_jis', 'jp'],
])

function encodingsByName(rows: readonly (readonly [encoding: string, names: string])[]) {
  return new Map(rows.flatMap(([encoding, names]) => words(names).map((name) => [name, encoding])))
}
