/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'plain'

export function pill(text: string, tone: Tone): Markup {
  return <span class={`pill ${tone === 'plain' ? '' : tone}`}>{text}</span>
}
