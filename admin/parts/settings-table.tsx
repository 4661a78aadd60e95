/** @jsxImportSource #jsx */
import { type Config, settings } from '../../src/config.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import type { Setting } from '../../src/lib/settings.ts'
import { panel } from './cards.tsx'

interface SettingRow {
  readonly name: string
  readonly doc: string
  /** Empty if it is not set. */
  readonly value: string
  readonly isDefault: boolean
}

/** Every setting with its value, first those that differ from the default. Secrets are masked. */
export function settingsCard(config: Config): Markup {
  const rows = Object.entries(settings as Readonly<Record<string, Setting<unknown>>>).map(([name, setting]) =>
    describe(name, setting, (config as Readonly<Record<string, unknown>>)[name]),
  )
  const changed = rows.filter(({ isDefault }) => !isDefault)
  const others = rows.filter(({ isDefault }) => isDefault)
  return panel('Configuration', [
    changed.length === 0 ? <p class="muted small">All settings use their default.</p> : table(changed),
    <details>
      <summary>{others.length} settings use their default</summary>
      {table(others)}
    </details>,
  ])
}

function describe(
  name: string,
  { parse, default: text, secret, doc }: Setting<unknown>,
  value: unknown,
): SettingRow {
  const defaultValue = text === undefined ? undefined : parse(text)
  const isDefault = JSON.stringify(defaultValue) === JSON.stringify(value)
  return { name, doc, isDefault, value: secret && !isDefault ? '••••••' : valueText(name, value) }
}

function valueText(name: string, value: unknown): string {
  if (value === undefined) return ''
  if (name.includes('PRICE') && typeof value === 'number') return `${formatMicros(value)} USDC`
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : item)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function table(rows: readonly SettingRow[]): Markup {
  return (
    <table class="settings">
      <tbody>
        {rows.map(({ name, doc, value }) => (
          <tr>
            <td>
              <code>{name}</code>
              <small>{doc}</small>
            </td>
            <td class="mono">{value || <span class="muted">not set</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
