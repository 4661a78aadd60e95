/** @jsxImportSource #jsx */
import { keyDaysMax } from '../../src/access/key-validity.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { describeEnd } from '../data/key-ending.ts'
import { nameLengthMax, overlapHours, quotaMax } from '../data/key-limits.ts'
import { postForm, submitButton } from './buttons.tsx'
import { panel } from './cards.tsx'

const overlapLabels: Readonly<Record<(typeof overlapHours)[number], string>> = {
  0: 'not at all',
  1: 'for an hour',
  24: 'for a day',
  168: 'for a week',
}

/** Name, quota and end of a key. */
export function settingForms(key: KeyRow, nowMs: number): Markup {
  const { id, name, dailyQuota } = key
  const nameField = (
    <label>
      Name
      <input name="name" maxlength={nameLengthMax} value={name} dir="auto" autocomplete="off" />
    </label>
  )
  const quota = quotaField(String(dailyQuota ?? ''), 'the default quota')
  return panel(
    'Name, quota and end',
    <div class="form">
      {postForm(`/admin/keys/${id}/rename`, [nameField, submitButton('Rename')], { class: 'field' })}
      {postForm(`/admin/keys/${id}/quota`, [quota, submitButton('Save quota')], {
        class: 'field',
        id: 'quota',
      })}
      <p class="hint">Empty: the default quota. It applies from the next call on.</p>
      {postForm(
        `/admin/keys/${id}/expires`,
        [endField({ placeholder: `1 to ${keyDaysMax}`, isRequired: true }), submitButton('Set end')],
        {
          class: 'field',
          id: 'expires',
        },
      )}
      {endLine(key, nowMs)}
    </div>,
  )
}

/** Rotation of the secret, and the upgrade that lifts the quota. */
export function actionForms(key: KeyRow, nowMs: number): Markup {
  const isUnlimited = key.unlimitedUntilMs !== null && key.unlimitedUntilMs > nowMs
  const overlap = (
    <label>
      Old secret still accepted
      <select name="overlap">
        {overlapHours.map((hours) => (
          <option value={hours}>{overlapLabels[hours]}</option>
        ))}
      </select>
    </label>
  )
  const leakedSince = (
    <label>
      Leaked: end addresses first counted since
      <input type="date" name="since" aria-describedby="leaked-hint" />
    </label>
  )
  const [query, label, hint] = isUnlimited
    ? ['?off=1', 'End upgrade', 'It has no quota. Ending the upgrade brings the quota back.']
    : ['', 'Upgrade', 'Removes the daily quota, as a payment would.']
  return panel(
    'Secret and upgrade',
    <div class="form">
      {postForm(`/admin/keys/${key.id}/rotate`, [overlap, submitButton('Rotate secret')], {
        class: 'field',
        id: 'rotate',
      })}
      {postForm(
        `/admin/keys/${key.id}/rotate`,
        [<input type="hidden" name="leaked" value="1" />, leakedSince, submitButton('Rotate as leaked')],
        { class: 'field' },
      )}
      <p class="hint" id="leaked-hint">
        Ends the secret at once, with every address that was first counted under it, or those since that day.
      </p>
      {postForm(`/admin/keys/${key.id}/upgrade${query}`, [<p class="hint">{hint}</p>, submitButton(label)], {
        class: 'line',
      })}
    </div>,
  )
}

/** When the key ends, and the button that lets it last. */
function endLine(key: KeyRow, nowMs: number): Markup {
  const hint = <p class="hint">{describeEnd(key, nowMs)}</p>
  if (key.expiresAtMs === null) return hint
  return postForm(
    `/admin/keys/${key.id}/expires`,
    [hint, <input type="hidden" name="expires" value="" />, submitButton('Remove end')],
    { class: 'line' },
  )
}

interface EndFieldOptions {
  readonly value?: string
  readonly placeholder?: string
  readonly isRequired?: boolean
}

/** After how many days from now a key ends. */
export function endField({ value, placeholder, isRequired }: EndFieldOptions): Markup {
  return (
    <label>
      Days until it ends
      <input
        name="expires"
        type="number"
        min="1"
        max={keyDaysMax}
        value={value}
        placeholder={placeholder}
        required={isRequired}
      />
    </label>
  )
}

export function quotaField(value: string, placeholder: string): Markup {
  return (
    <label>
      Calls per day
      <input name="quota" type="number" min="0" max={quotaMax} value={value} placeholder={placeholder} />
    </label>
  )
}

/** Revokes the key after a question, or restores it if it is revoked. @param style class of the button */
export function revokeForm({ id, revokedAtMs }: KeyRow, name: string, style = ''): Markup {
  if (revokedAtMs !== null) return postForm(`/admin/keys/${id}/restore`, submitButton('Restore', style))
  return postForm(`/admin/keys/${id}/revoke`, submitButton('Revoke', `${style} danger`), {
    'data-confirm': `Revoke ${name}? Every page that embeds its URLs shows broken images.`,
  })
}
