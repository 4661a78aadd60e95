/** @jsxImportSource #jsx */
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'

/** Keys as a list of links. @param count of all, of which `keys` are some */
export function keyNames(keys: readonly KeyRow[], count: number): Markup {
  return (
    <ul class="names">
      {keys.map(({ id, name }) => (
        <li>
          <a href={`/admin/keys/${id}#brands`} dir="auto">
            {name || 'Untitled'}
          </a>{' '}
          <code class="muted">{id}</code>
        </li>
      ))}
      {count > keys.length && <li>and {formatCount(count - keys.length)} more</li>}
    </ul>
  )
}
