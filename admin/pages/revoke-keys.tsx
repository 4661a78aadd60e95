/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import { linkButton } from '../parts/buttons.tsx'
import { adminPage } from '../parts/layout.tsx'

const namesMax = 20

/** Asks for confirmation, with the names of the keys. */
export function revokeKeysPage(deps: AdminDeps, keys: readonly KeyRow[]): Promise<Markup> {
  const words = keys.length === 1 ? 'this key' : `these ${formatCount(keys.length)} keys`
  return adminPage(
    deps,
    { title: `Revoke ${words}?`, section: 'keys' },
    <section class="card panel narrow">
      <form class="form" method="post" action="/admin/keys/revoke">
        <ul class="names">
          {keys.slice(0, namesMax).map(({ id, name }) => (
            <li>
              <b dir="auto">{name || 'Untitled'}</b> <code class="muted">{id}</code>
            </li>
          ))}
          {keys.length > namesMax && <li>and {formatCount(keys.length - namesMax)} more</li>}
        </ul>
        {keys.map(({ id }) => (
          <input type="hidden" name="id" value={id} />
        ))}
        <p class="hint">
          Their calls are refused from the next one on. Every page that embeds their URLs shows broken images.
          A key can be restored on its page.
        </p>
        <div class="actions">
          {linkButton('/admin/keys', 'Cancel')}
          <button class="btn danger" type="submit" name="sure" value="1">
            Revoke {words}
          </button>
        </div>
      </form>
    </section>,
  )
}
