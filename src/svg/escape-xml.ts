const special = /[&<>"'\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
const everySpecial = new RegExp(special, 'gu')

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text for an XML element or attribute. Controls and whatever XML 1.0 cannot carry in any form are left out. */
export function escapeXml(text: string): string {
  return special.test(text) ? text.replace(everySpecial, (char) => entities[char] ?? '') : text
}
