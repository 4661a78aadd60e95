import type { Child } from '../../lib/jsx/markup.ts'
import { prose } from '../guides/markdown.tsx'
import { fill, textParts } from '../parts/texts.ts'
import source from '../texts/reference.md' with { type: 'text' }

const parts = textParts(source)

/** Returns a function that renders a part of `reference.md`. */
export function referenceText(values: Readonly<Record<string, string | number>>) {
  return (name: string): Child => prose(fill(parts.get(name) ?? '', values))
}
