/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { loggedOutPage } from '../parts/layout.tsx'

/** @param next the page that was asked for, to go to afterwards. */
export function loginPage(next: string, problem?: string): Markup {
  return loggedOutPage('Log in', [
    problem && (
      <p class="note warn" role="alert">
        {problem}
      </p>
    ),
    <form class="form" method="post" action="/admin/login">
      <input type="hidden" name="next" value={next} />
      <input hidden name="username" autocomplete="username" value="operator" />
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required autofocus />
      </label>
      <button class="btn primary" type="submit">
        Log in
      </button>
    </form>,
  ])
}

/** Before the first login: says where the link is. */
export function setupPendingPage(): Markup {
  return loggedOutPage('Almost there', [
    <p class="muted">
      No password is set yet. The terminal in which Mintmark started shows a one-time link to set one. You can
      also start it with <code>ADMIN_PASSWORD</code>.
    </p>,
  ])
}
