import { started } from '../../support/started.ts'
import { type AdminServer, operatorPassword } from './admin-server.ts'

export type Operator = Awaited<ReturnType<typeof logIn>>
type Form = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** The header that browsers add to a form sent from one of our own pages. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

export function send(
  url: string,
  form: Form,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: new URLSearchParams(
      Array.isArray(form) ? form.map(([name, value]) => [name, value]) : (form as Record<string, string>),
    ),
    headers: { ...sameOrigin, ...headers },
    redirect: 'manual',
  })
}

export async function logIn({ url }: Pick<AdminServer, 'url'>, password = operatorPassword) {
  const response = await send(`${url}/admin/login`, { password })
  if (response.status !== 303) throw new Error(`The login answered ${response.status}.`)
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  function get(path: string) {
    return fetch(url + path, { headers: { cookie }, redirect: 'manual' })
  }
  return {
    cookie,
    get,
    post: (path: string, form: Form = {}) => send(url + path, form, { cookie }),
    async page(path: string): Promise<string> {
      const answer = await get(path)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
      return await answer.text()
    },
    async createKey(form: Readonly<Record<string, string>> = { name: 'docs.harbour.dev' }) {
      const created = await send(`${url}/admin/keys`, form, { cookie })
      const path = created.headers.get('location') ?? ''
      return {
        path,
        id: path.split('/').at(-1) ?? '',
        secret: secretIn(await (await get(path)).text()) ?? '',
      }
    },
  }
}

export function secretIn(html: string): string | undefined {
  return /id="secret-value">([0-9a-f]{64})</.exec(html)?.[1]
}

export function loggedIn(server: Pick<AdminServer, 'url'>): Operator {
  return started(async () => ({ ...(await logIn(server)), stop() {} }))
}
