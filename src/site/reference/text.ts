import type { Child } from '../../lib/jsx/markup.ts'
import { prose } from '../guides/markdown.tsx'
import source from '../texts/reference.md' with { type: 'text' }

const [, ...pieces] = source.split(/^# (.+)\n/m)
const parts = new Map(pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1]]] : [])))

/** Returns a function that renders a part of `reference.md`, named by a heading of the first level. */
export function referenceText(values: Readonly<Record<string, string | number>>) {
  return (name: string): Child => prose(parts.get(name) ?? '', values)
}
