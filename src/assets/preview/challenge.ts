import { words } from '../../lib/words.ts'
import { isChallenge, type PageHead } from '../../web/fetched-page.ts'
import type { ParsedPage } from './page-parser.ts'
import { letters } from './site-name.ts'

/**
 * Defences against robots, by what is in the markup of the page that they answer with, whatever its status. Text that
 * readers see is no mark by itself, because pages write about such defences, so it counts together with a title alone.
 */
const challenges: readonly Challenge[] = [
  // Anubis
  { code: /\bid=["']?anubis_challenge\b|\/\.within\.website\/x\/cmd\/anubis\// },
  // PerimeterX
  { code: /\bid=["']?px-captcha\b|\bcaptcha\.px-c(?:dn|loud)\.net\b/ },
  // Vercel
  { title: 'vercelsecuritycheckpoint', texts: [/verifying your browser|enable javascript to continue/i] },
  // Fastly
  { code: /\/_fs-ch-[\w-]{4}/ },
  { title: 'clientchallenge', texts: [/javascript is disabled|a required part of this site/i] },
  // go-away
  { code: /\.git\.gammaspectra\.live\/|\/go-away\// },
  // DataDome
  { code: /\b(?:geo|ct|interstitial)\.captcha-delivery\.com\b|\bvar dd\s?=\s?\{/ },
  // Incapsula
  { code: /<iframe[^>]{0,400}_Incapsula_Resource/i },
  { code: /\b_Incapsula_Resource\?SWJIYLWA=/, charsMax: 60 },
  // Akamai
  {
    title: 'accessdenied',
    texts: [/you don't have permission to access/i, /reference(?:\s|&#32;){0,3}(?:#|&#35;)\d/i],
  },
  { code: /\bsec-if-cpt-container\b|\/_sec\/cp_challenge\//, charsMax: 200 },
  // Cloudflare
  {
    code: /\b_cf_chl_(?:opt|ctx)\b|__cf_chl_|\/challenge-platform\/h\/\w\/orchestrate\/|cf-browser-verification/,
  },
  { title: 'attentionrequiredcloudflare', texts: [/\bray id\b/i] },
  { title: 'justamoment', texts: [/enable javascript and cookies to continue|\bray id\b/i] },
  // Sucuri, Kasada, AWS, Bunny, DDoS-Guard, cookies that a script computes
  { code: /\bsucuri_cloudproxy_js\b|\bKPSDK\b|\bslowAES\b|\/\.bunny-shield\// },
  { code: /\bAwsWafIntegration\b/, charsMax: 200 },
  { title: 'ddosguard', texts: [/checking your browser|ddos protection/i] },
  // Any other that asks for something
  ...words(`
    robotcheck robotorhuman areyouarobot areyouhuman humanverification verifyyouarehuman verifyingyouarehuman
    securityverification makingsureyourenotabot checkingyouarenotabot checkingyourbrowser pleaseverifyyouareahuman
    accesstothispagehasbeendenied pardonourinterruption
  `).map((title) => ({ title, code: /<form\b|<input\b|<script\b/i, charsMax: 300 })),
]

interface Challenge {
  /** Matches tags, with their attributes, and scripts. */
  readonly code?: RegExp
  readonly title?: string
  readonly texts?: readonly RegExp[]
  /** Most characters to read, where ordinary pages have the same. */
  readonly charsMax?: number
}

/** True if a defence against robots has answered in place of the page. `read` is missing if that is no HTML. */
export function isChallengePage(head: PageHead, read: ParsedPage | undefined): boolean {
  if (isChallenge(head) || (head.status === 403 && refusingServers.test(head.headers['server'] ?? '')))
    return true
  if (read === undefined) return false
  const { outline, metadata } = read
  if (hasMarks(head, outline.markup)) return true
  // A site may have the scripts of its defence on ordinary pages, too.
  if (outline.links.length > 3 || outline.textChars > charsMax) return false
  if (metadata.metas.some(({ key }) => key.startsWith('og:'))) return false
  const title = letters(metadata.title ?? '')
  const code = codeOf(outline.markup)
  return challenges.some(
    (mark) =>
      outline.textChars <= (mark.charsMax ?? charsMax) &&
      (mark.code === undefined || mark.code.test(code)) &&
      (mark.title === undefined || mark.title === title) &&
      (mark.texts ?? []).every((text) => text.test(outline.markup)),
  )
}

export function isChallengeFile(head: PageHead, text: string): boolean {
  return isChallenge(head) || hasMarks(head, text.slice(0, 65_536))
}

/** With these statuses, marks anywhere on the page count. */
const challengeStatuses: ReadonlySet<number> = new Set([202, 403, 405, 406, 429, 503])
const titles =
  /<title>(?:Just a moment|Attention Required!|DDoS-Guard|Vercel Security Checkpoint|[^<]{0,40}(?:not a (?:ro)?bot|robot check|(?:you are|you're|are you) human|human verification|client challenge|establishing a secure connection))|Checking (?:if the site connection is secure|your browser)/i
/** Widgets that ordinary pages have beside their forms. */
const widgets = /(?:g-recaptcha|h-captcha|cf-turnstile)["\s]/i
const refusingServers = /^(?:ddos-guard|imperva|sucuri)/i

function hasMarks({ status }: Pick<PageHead, 'status'>, markup: string): boolean {
  if (!challengeStatuses.has(status)) return false
  return (
    titles.test(markup) ||
    widgets.test(markup) ||
    challenges.some(({ code, title }) => title === undefined && code?.test(markup))
  )
}

/** The tags of a page and the contents of its scripts, without the text between them. */
function codeOf(markup: string): string {
  let isScript = false
  return markup
    .split('<')
    .map((piece) => {
      isScript = /^script\b/i.test(piece) || (isScript && !/^\/script\b/i.test(piece))
      return isScript ? piece : piece.slice(0, piece.indexOf('>') + 1)
    })
    .join('<')
}

const charsMax = 600
