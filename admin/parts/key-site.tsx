/** @jsxImportSource #jsx */
import { hostsLengthMax, hostsMax, hostsOf } from '../../src/access/key-hosts.ts'
import { keyLookOf } from '../../src/access/key-look.ts'
import { schemes } from '../../src/assets/og/theme.ts'
import { themeNames, usualTheme } from '../../src/assets/og/themes.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { siteForm } from '../data/key-limits.ts'
import { postForm, submitButton } from './buttons.tsx'
import { panel } from './cards.tsx'
import { choiceOptions } from './choice-options.tsx'
import { copyButton } from './copy-button.tsx'

type SiteField = keyof typeof siteForm.properties

/** The hosts of a key, the look of their cards, and its public site id. */
export function keySite(key: KeyRow): Markup {
  const values: Readonly<Record<string, string>> = { ...keyLookOf(key), hosts: hostsOf(key).join(', ') }
  return panel(
    'Site',
    postForm(
      `/admin/keys/${key.id}/site`,
      [siteId(key), siteFields((field) => values[field] ?? ''), <div>{submitButton('Save site')}</div>],
      { class: 'form', id: 'site' },
    ),
  )
}

function siteId({ siteId: id, hosts }: KeyRow): Child {
  if (id === null)
    return <p class="muted">No hosts. Name some to show cards of their pages without a signature.</p>
  return [
    <dl class="secret">
      <div>
        <dt>Site id</dt>
        <dd>
          <code id="site-id">{id}</code>
        </dd>
        <dd>{copyButton('site-id')}</dd>
      </div>
    </dl>,
    hosts === '' && <p class="hint">It names no host now, so no page has a card by this id.</p>,
  ]
}

/** The fields of `siteForm`. @param typed returns the value of a field */
export function siteFields(typed: (field: SiteField) => string): Child {
  return [
    <label>
      Hosts
      <input
        name="hosts"
        maxlength={hostsLengthMax}
        placeholder="example.com, example.org"
        value={typed('hosts')}
        autocomplete="off"
        spellcheck="false"
        aria-describedby="hosts-hint"
      />
    </label>,
    <p class="hint" id="hosts-hint">
      Up to {hostsMax}, with their subdomains. Cards of their pages need no signature: the public site id is
      enough.
    </p>,
    <div class="two">
      {choiceField('theme', 'Theme', themeNames, `Default: ${usualTheme}`, typed)}
      {choiceField('scheme', 'Scheme', schemes, 'Default: the theme’s', typed)}
    </div>,
    <div class="three">
      {textField('accent', 'Accent', 'auto', typed)}
      {textField('brand', 'Brand', 'none', typed)}
      {choiceField('picture', 'Picture', ['none', 'page'], 'Default: none', typed)}
    </div>,
  ]
}

function textField(
  name: SiteField,
  label: string,
  placeholder: string,
  typed: (field: SiteField) => string,
): Markup {
  return (
    <label>
      {label}
      <input
        name={name}
        maxlength={80}
        placeholder={placeholder}
        value={typed(name)}
        autocomplete="off"
        spellcheck="false"
      />
    </label>
  )
}

function choiceField(
  name: SiteField,
  label: string,
  values: readonly string[],
  whenEmpty: string,
  typed: (field: SiteField) => string,
): Markup {
  const current = typed(name)
  return (
    <label>
      {label}
      <select name={name}>{choiceOptions(values, current, whenEmpty)}</select>
    </label>
  )
}
