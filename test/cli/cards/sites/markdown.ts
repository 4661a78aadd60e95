import type { AnyPage } from './content.ts'

/** A page as Markdown below front matter in YAML. JSON strings are YAML, too. */
export function markdown({ body, ...words }: AnyPage, more: Readonly<Record<string, unknown>> = {}): string {
  const fields = Object.entries({ ...words, ...more })
  const lines = fields.map(([name, value]) => `${name}: ${name === 'date' ? value : JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n${body}`
}
