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
export function currentPasswordField(): Markup {
  return (
    <>
      {usernameField()}
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required autofocus />
      </label>
    </>
  )
}

export function usernameField(): Markup {
  return <input hidden name="username" autocomplete="username" value="operator" />
}
