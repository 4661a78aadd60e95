/** @jsxImportSource #jsx */
import { targetOf } from '../../src/http/target.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { linkButton, submitButton } from '../parts/buttons.tsx'
import { loggedOutPage } from '../parts/layout.tsx'
import { currentPasswordField } from '../parts/password-form.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

/**
 * Asks for the password again before a secret is shown, keys are revoked in bulk or data is exported. The form repeats
 * the fields that were sent, so that the right password continues with them.
 */
export function confirmPasswordPage(
  { context, sent }: AdminRequest,
  question: string,
  problem?: string,
): Markup {
  return loggedOutPage('Your password, please', [
    <p class="muted">{question}</p>,
    <form class="form" method="post" action={targetOf(context)}>
      {[...sent]
        .filter(([name]) => name !== 'password')
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      {currentPasswordField(problem)}
      <p class="hint">It then counts for ten minutes.</p>
      <div class="actions">
        {linkButton('/admin', 'Back')}
        {submitButton('Confirm', 'btn primary')}
      </div>
    </form>,
  ])
}
