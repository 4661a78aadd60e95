/**
 * Text for an XML element or attribute. Characters that XML 1.0 cannot carry in any form are left out; half of a
 * surrogate pair becomes U+FFFD.
 */
export function escapeXml(text: string): string {
  if (!mayChange.test(text)) return text
  return text.toWellFormed().replace(reserved, (character) => entities[character] ?? '')
}

const mayChange = /[&<>"']|[^ -~]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them
const reserved = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
