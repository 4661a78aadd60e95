/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { overlapHours } from '../actions/key-actions.ts'

const overlapLabels: Readonly<Record<(typeof overlapHours)[number], string>> = {
  0: 'not at all',
  1: 'for an hour',
  24: 'for a day',
  168: 'for a week',
}

/** Name and quota. */
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
            <input name="name" maxlength="80" value={name} dir="auto" autocomplete="off" />
          </label>
          <button class="btn" type="submit">
            Rename
          </button>
        </form>
        <form class="field" method="post" action={`/admin/keys/${id}/quota`} id="quota">
          <label>
            Calls per day
            <input
              name="quota"
              type="number"
              min="0"
              max="1000000000"
              value={dailyQuota ?? ''}
              placeholder="the general quota"
            />
          </label>
          <button class="btn" type="submit">
            Save quota
          </button>
        </form>
        <p class="hint">Empty: the general quota. It counts from the next call on.</p>
      </div>
    </section>
  )
}

/** What changes who may use the key, and how much. */
export function actionForms(key: KeyRow, nowMs: number): Markup {
  const isUnlimited = key.unlimitedUntilMs !== null && key.unlimitedUntilMs > nowMs
  const action = (name: string, label: string, hint: Child) => (
    <form class="line" method="post" action={`/admin/keys/${key.id}/${name}`}>
      <p class="hint">{hint}</p>
      <button class="btn" type="submit">
        {label}
      </button>
    </form>
  )
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
          ? action(
              'upgrade?off=1',
              'End upgrade',
              'It has no quota. Ending the upgrade brings the quota back.',
            )
          : action('upgrade', 'Upgrade', 'Removes the daily quota, as a payment would.')}
      </div>
    </section>
  )
}
