import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settings } from '../config.ts'
import type { Setting } from '../lib/settings.ts'

const guide = fileURLToPath(new URL('../../docs/settings.md', import.meta.url))
const head = ['| name | default | what it is |', '|---|---|---|']

export function settingsTable(): readonly string[] {
  const rows = Object.entries(settings as Readonly<Record<string, Setting<unknown>>>).map(
    ([name, { default: value, doc }]) =>
      `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${doc.replaceAll('|', '\\|')} |`,
  )
  return [...head, ...rows]
}

/** `bun run docs:settings`: replaces the table at the end of the guide to settings. */
if (import.meta.main) {
  const text = readFileSync(guide, 'utf8')
  const start = text.indexOf(head[0] ?? '')
  writeFileSync(guide, `${text.slice(0, start)}${settingsTable().join('\n')}\n`)
}
