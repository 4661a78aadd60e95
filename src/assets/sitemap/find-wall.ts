import { words } from '../../lib/words.ts'
import type { PageHead } from '../../web/fetched-page.ts'
import { isChallengePage } from '../preview/challenge.ts'
import type { ParsedPage } from '../preview/page-parser.ts'

export type Wall = 'login_required' | 'target_challenge' | 'scripts_required'

export function findWall(requested: URL, head: PageHead, read: ParsedPage | undefined): Wall | undefined {
  if (isChallengePage(head, read)) return 'target_challenge'
  if (head.status === 401 || leadsToLogin(requested, head, read)) return 'login_required'
  if (head.status > 299 || read === undefined) return undefined
  const { outline, metadata } = read
  const isForm = requested.pathname === '/' && outline.hasPassword && outline.links.length <= linksOfFormMax
  if (isForm && outline.textChars <= charsOfFormMax && metadata.articles === 0) return 'login_required'
  const isEmpty = outline.hasScript && outline.textChars < charsMin && outline.links.length === 0
  return isEmpty ? 'scripts_required' : undefined
}

function leadsToLogin(requested: URL, { url, status }: PageHead, read: ParsedPage | undefined): boolean {
  if (isLogin(requested) || status > 299) return false
  const next = read?.fields.refresh ?? undefined
  if (next !== undefined && isLogin(new URL(next))) return true
  const hasMoved = url.hostname !== requested.hostname || url.pathname !== requested.pathname
  return hasMoved && (isLogin(url) || (read?.outline.hasPassword === true && url.pathname !== '/'))
}

function isLogin({ hostname, pathname }: URL): boolean {
  const names = pathname.toLowerCase().split('/')
  return loginHosts.has(hostname.split('.')[0] ?? '') || names.some((name) => loginName.test(name))
}

const loginHosts: ReadonlySet<string> = new Set(words('login signin sso auth accounts idp identity'))
const loginName =
  /^(?:(?:wp-)?log[-_]?[io]n|sign[-_]?in|sso|saml2?|cas|oauth2?|openid(?:-connect)?|auth|authorize|authenticate|anmelden|connexion|acceder|entrar|iniciar-sesion|accedi|inloggen|logowanie)(?:\.[a-z]{2,5})?$/

/** A form to log in has a few links, for example to the imprint. */
const linksOfFormMax = 12
const charsOfFormMax = 1_000
const charsMin = 40
