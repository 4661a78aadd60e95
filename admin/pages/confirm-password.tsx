/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { loggedOutPage } from '../parts/layout.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

/**
 * Asks for the password again before a secret changes hands, keys end in bulk or data leaves. The form repeats what
 * was sent, so that the right password goes on with it.
 */
export function confirmPasswordPage(
  { context: exchange, form, query }: AdminRequest,
  question: string,
  problem?: string,
): Markup {
  const target = query.size === 0 ? exchange.path : `${exchange.path}?${query}`
  return loggedOutPage('Your password, please', [
    <p class="muted">{question}</p>,
    problem && (
      <p class="note warn" role="alert">
        {problem}
      </p>
    ),
    <form class="form" method="post" action={target}>
      {[...form]
        .filter(([name]) => name !== 'password')
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      <input hidden name="username" autocomplete="username" value="operator" />
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required autofocus />
      </label>
      <p class="hint">It then counts for ten minutes.</p>
      <div class="actions">
        <a class="btn" href="/admin">
          Back
        </a>
        <button class="btn primary" type="submit">
          Confirm
        </button>
      </div>
    </form>,
  ])
}
