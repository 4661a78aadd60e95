import { escapeHtml } from '../lib/jsx/markup.ts'

/**
 * Text for an XML element or attribute. Characters that XML 1.0 cannot carry in any form are left out; half of a
 * surrogate pair becomes U+FFFD.
 */
export function escapeXml(text: string): string {
  return plain.test(text) ? text : escapeHtml(text.toWellFormed().replace(forbidden, ''))
}

/** Printable ASCII without `& < > " '`: most text, returned as it is. */
const plain = /^[ !#-%(-;=?-~]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
