/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

/** The message about what a form sent; nothing without a problem. */
export function problemNote(problem: string | undefined): Child {
  return (
    problem && (
      <p class="note warn" role="alert">
        {problem}
      </p>
    )
  )
}

/** The operator's password, with the user name that password managers want beside it. */
export function currentPasswordField(problem?: string): Markup {
  return passwordField('Password', { autocomplete: 'current-password' }, problem)
}

interface PasswordAttributes {
  readonly autocomplete: 'current-password' | 'new-password'
  readonly minlength?: number
  readonly maxlength?: number
}

/** A password with its mistake below it. The script of the pages shows the button that makes it readable. */
export function passwordField(label: string, attributes: PasswordAttributes, problem?: string): Markup {
  const mistake = problem === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'problem' }
  return (
    <div class="password">
      <input hidden name="username" autocomplete="username" value="operator" />
      <label for="password">{label}</label>
      <div>
        <input
          id="password"
          name="password"
          type="password"
          required
          autofocus
          {...attributes}
          {...mistake}
        />
        <button class="btn" type="button" data-show="password" aria-pressed="false" hidden>
          Show
        </button>
      </div>
      {problem !== undefined && (
        <p class="problem" id="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
