/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { nameLengthMax, overlapHours, quotaMax } from '../data/key-limits.ts'

const overlapLabels: Readonly<Record<(typeof overlapHours)[number], string>> = {
  0: 'not at all',
  1: 'for an hour',
  24: 'for a day',
  168: 'for a week',
}

/** Name and quota of a key. */
export function settingForms({ id, name, dailyQuota }: KeyRow): Markup {
  return (
    <section class="card panel">
      <header>
        <h2>Name and quota</h2>
      </header>
      <div class="form">
        <form class="field" method="post" action={`/admin/keys/${id}/rename`}>
          <label>
            Name
            <input name="name" maxlength={nameLengthMax} value={name} dir="auto" autocomplete="off" />
          </label>
          <button class="btn" type="submit">
            Rename
          </button>
        </form>
        <form class="field" method="post" action={`/admin/keys/${id}/quota`} id="quota">
          {quotaField(String(dailyQuota ?? ''), 'the default quota')}
          <button class="btn" type="submit">
            Save quota
          </button>
        </form>
        <p class="hint">Empty: the default quota. It applies from the next call on.</p>
      </div>
    </section>
  )
}

/** Rotation of the secret, and the upgrade that lifts the quota. */
export function actionForms(key: KeyRow, nowMs: number): Markup {
  const isUnlimited = key.unlimitedUntilMs !== null && key.unlimitedUntilMs > nowMs
  return (
    <section class="card panel">
      <header>
        <h2>Secret and upgrade</h2>
      </header>
      <div class="form">
        <form class="field" method="post" action={`/admin/keys/${key.id}/rotate`} id="rotate">
          <label>
            Old secret still accepted
            <select name="overlap">
              {overlapHours.map((hours) => (
                <option value={hours}>{overlapLabels[hours]}</option>
              ))}
            </select>
          </label>
          <button class="btn" type="submit">
            Rotate secret
          </button>
        </form>
        {isUnlimited
          ? upgradeForm(
              key,
              '?off=1',
              'End upgrade',
              'It has no quota. Ending the upgrade brings the quota back.',
            )
          : upgradeForm(key, '', 'Upgrade', 'Removes the daily quota, as a payment would.')}
      </div>
    </section>
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

function upgradeForm({ id }: KeyRow, query: string, label: string, hint: string): Markup {
  return (
    <form class="line" method="post" action={`/admin/keys/${id}/upgrade${query}`}>
      <p class="hint">{hint}</p>
      <button class="btn" type="submit">
        {label}
      </button>
    </form>
  )
}
