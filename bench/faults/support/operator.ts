import type { FaultContext } from '../context.ts'
import { type Answer, ask } from './ask.ts'
import { adminPassword, type FaultServer } from './server.ts'

interface LoginOptions {
  readonly password?: string
  /** The client's address, where the server trusts us as its proxy. */
  readonly address?: string
}

/** Sends the form of `/admin/login` as a browser does. */
export function logIn(
  context: FaultContext,
  { url }: Pick<FaultServer, 'url'>,
  { password = adminPassword, address }: LoginOptions = {},
): Promise<Answer | undefined> {
  return ask(context, `${url}/admin/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...(address !== undefined && { 'x-forwarded-for': address }),
    },
    body: new URLSearchParams({ password }).toString(),
  })
}

/** The cookie of somebody who has logged in. */
export function cookieOf(answer: Answer | undefined): string {
  return answer?.headers.get('set-cookie')?.split(';')[0] ?? ''
}
