/** @jsxImportSource #jsx */
import type { Child } from '../../lib/jsx/markup.ts'
import type { AssetForm } from './form.ts'

/** Signs an embed URL of the shown asset in the browser. The id and the secret are sent nowhere. */
export function signSection({ asset }: AssetForm): Child {
  if (asset.priceMicros === undefined) return undefined
  return (
    <details class="card sign js-only">
      <summary>
        Sign it in your browser{' '}
        <span class="muted small">for a page of your own: good for a year, once a day on your key</span>
      </summary>
      <form id="sign" autocomplete="off">
        <label>
          Key id
          <input data-sign="key" placeholder="mk_…" spellcheck="false" autocomplete="off" required />
        </label>
        <label>
          Secret
          <input data-sign="secret" type="password" autocomplete="off" required />
        </label>
        <button class="btn" type="submit">
          Sign
        </button>
        <p class="hint">
          The signature is computed by this page with WebCrypto. Neither the id nor the secret is sent or
          stored. <a href="/docs#keys">Get a key</a>
        </p>
        <pre hidden tabindex="0" role="region" aria-label="Signed URL" />
      </form>
    </details>
  )
}
