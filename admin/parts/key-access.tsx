/** @jsxImportSource #jsx */
import { assetsOf, keyAssetIds } from '../../src/access/key-assets.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { notesLengthMax } from '../data/key-limits.ts'
import { postForm, submitButton } from './buttons.tsx'
import { panel } from './cards.tsx'

/** The assets that a key may call, and the operator's notes about it. */
export function accessForms(key: KeyRow): Markup {
  return (
    <div class="cols">
      {panel(
        'Assets',
        postForm(
          `/admin/keys/${key.id}/assets`,
          [assetFields(assetsOf(key) ?? []), <div>{submitButton('Save assets')}</div>],
          { class: 'form', id: 'assets' },
        ),
      )}
      {panel(
        'Notes',
        postForm(
          `/admin/keys/${key.id}/notes`,
          [notesField(key.notes), <div>{submitButton('Save notes')}</div>],
          { class: 'form', id: 'notes' },
        ),
      )}
    </div>
  )
}

/** A box for each asset. @param allowed ids of those that are ticked */
export function assetFields(allowed: readonly string[]): Child {
  return (
    <fieldset class="plain" aria-describedby="assets-hint">
      <legend>Assets it may call</legend>
      <div class="ticks">
        {keyAssetIds.map((id) => (
          <label class="tick">
            <input type="checkbox" name="assets" value={id} checked={allowed.includes(id)} />
            <code>{id}</code>
          </label>
        ))}
      </div>
      <p class="hint" id="assets-hint">
        None ticked: it may call every asset. Cards of its hosts’ pages are calls of card.
      </p>
    </fieldset>
  )
}

/** @param value the notes as they are */
export function notesField(value: string): Markup {
  return (
    <label>
      Notes
      <textarea
        name="notes"
        rows="3"
        maxlength={notesLengthMax}
        dir="auto"
        placeholder="Only operators see them"
      >
        {value}
      </textarea>
    </label>
  )
}
