import { readFileSync } from 'node:fs'
import type { AdminServer } from './admin-server.ts'
import { type Operator, sameOrigin } from './operator.ts'

type Value = string | File | readonly (string | File)[]

export const logoFile = new File(
  ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2h20v20H2z" fill="#0a7"/></svg>'],
  'harbour-mark.svg',
)

export const valleyFile = {
  name: 'valley.jpg',
  mimeType: 'image/jpeg',
  buffer: readFileSync(new URL('../../../src/site/assets/night-valley.jpg', import.meta.url)),
}

/** The files of a brand by their fields, and what each may have at most. */
export const fileLimits = {
  logo: 64 * 1024,
  picture: 2 ** 20,
  titleFont: 2 * 2 ** 20,
  textFont: 2 * 2 ** 20,
  themeFile: 64 * 1024,
}

/** Sends the form of a brand as a browser does; without a slug of its own for a new one. */
export function sendBrand(
  { url }: Pick<AdminServer, 'url'>,
  { cookie }: Pick<Operator, 'cookie'>,
  fields: Readonly<Record<string, Value>>,
  slug?: string,
): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value]) body.append(name, each)
  return fetch(`${url}/admin/brands${slug === undefined ? '' : `/${slug}`}`, {
    method: 'POST',
    body,
    headers: { ...sameOrigin, cookie },
    redirect: 'manual',
  })
}

export function problemsIn(html: string): Readonly<Record<string, string>> {
  const found = html.matchAll(
    /<div[^>]* data-field="(\w+)"(?:(?!data-field=)[\s\S])*?class="problem"[^>]*>([^<]*)</g,
  )
  return Object.fromEntries([...found].map(([, field = '', text = '']) => [field, text]))
}
