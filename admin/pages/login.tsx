/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { passwordLengthMax, passwordLengthMin } from '../../src/lib/password.ts'
import { submitButton } from '../parts/buttons.tsx'
import { loggedOutPage } from '../parts/layout.tsx'
import { currentPasswordField, passwordField } from '../parts/password-form.tsx'
import type { SetupState } from '../session/operator-password.ts'

/** @param next the requested page, to redirect to after the login. */
export function loginPage(next: string, problem?: string): Markup {
  return loggedOutPage('Log in', [
    <form class="form" method="post" action="/admin/login">
      <input type="hidden" name="next" value={next} />
      {currentPasswordField(problem)}
      {submitButton('Log in', 'btn primary')}
    </form>,
  ])
}

/** The login page while no password is set: says where the set-up link is. */
export function setupPendingPage(): Markup {
  return loggedOutPage('Almost there', [
    <p class="muted">
      No password is set yet. The terminal in which Mintmark started shows a one-time link to set one. You can
      also start it with <code>ADMIN_PASSWORD</code>.
    </p>,
  ])
}

/** The page of the one-time set-up link. */
export function setupPage(token: string, problem?: string): Markup {
  return loggedOutPage('Set the password', [
    <form class="form" method="post" action="/admin/setup">
      <input type="hidden" name="token" value={token} />
      {passwordField(
        'New password',
        { autocomplete: 'new-password', minlength: passwordLengthMin, maxlength: passwordLengthMax },
        problem,
      )}
      <p class="hint">At least {passwordLengthMin} characters. It opens this area from any browser.</p>
      {submitButton('Set password and log in', 'btn primary')}
    </form>,
  ])
}

const setupEndings = {
  used: {
    title: 'This link was used',
    text: 'It set the password, and a set-up link works once.',
    remedy: 'If that was not you, start Mintmark with ADMIN_PASSWORD, which replaces the password.',
  },
  password_set: {
    title: 'A password is set already',
    text: 'Set-up links end when a password is set, here or by ADMIN_PASSWORD.',
    remedy: 'If it is forgotten, start Mintmark with ADMIN_PASSWORD, which replaces it.',
  },
  replaced: {
    title: 'This link has ended',
    text: 'No password is set yet, but each start of Mintmark prints a new link and ends the one before.',
    remedy: 'Open the newest link of the terminal or the journal, whole, or restart Mintmark for another.',
  },
} as const

/** The page of a set-up link that sets nothing any more. */
export function setupEndedPage(state: Exclude<SetupState, 'open'>): Markup {
  const { title, text, remedy } = setupEndings[state]
  return loggedOutPage(title, [
    <p class="muted">{text}</p>,
    <p class="muted">{remedy}</p>,
    state !== 'replaced' && (
      <p>
        <a href="/admin/login">Log in</a>
      </p>
    ),
  ])
}
