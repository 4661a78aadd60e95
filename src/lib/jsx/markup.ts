export class Markup {
  readonly html: string
  constructor(html: string) {
    this.html = html
  }
  toString(): string {
    return this.html
  }
}

/** The content of an element. Booleans, `null` and `undefined` print nothing. */
export type Child = Markup | string | number | boolean | null | undefined | readonly Child[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (char) => entities[char] ?? char) : text
}

export function renderChild(child: Child): string {
  if (child instanceof Markup) return child.html
  if (Array.isArray(child)) return child.map(renderChild).join('')
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  return escapeHtml(String(child))
}

export function document(page: Markup): string {
  return `<!doctype html>${page.html}`
}
