import assert from 'node:assert/strict'
import type { Check } from '../../support/check.ts'
import { locs, look, page, type Site, siteHost, siteOrigin } from './look.ts'

const html = 'Content-Type: text/html'
const form = page('Sign in', '<form><input name=u><input type=password name=p></form>')

function redirect(location: string) {
  return { status: 302, headers: [`Location: ${location}`] }
}

function refusal(status: number, body: string, ...headers: readonly string[]) {
  return { status, body, headers: [html, ...headers] }
}

const shell = page(
  'My app',
  '<div id=root></div><noscript>Enable JavaScript</noscript><script src=/app.js></script>',
)

/** Sites that show nobody their home page, with the warning that names why. */
const walls: readonly (readonly [what: string, site: Site, warning: string])[] = [
  ['a redirect to a login', { '*': redirect('/login?next=/'), '/login?next=/': form }, 'login_required: '],
  [
    'a login in another language',
    { '*': redirect('/konto/anmelden'), '/konto/anmelden': form },
    'login_required: ',
  ],
  ['a redirect to an unknown form', { '*': redirect('/enter'), '/enter': form }, 'login_required: '],
  [
    'a login by meta refresh',
    { '*': page('Wait', '', '<meta http-equiv=refresh content="0;url=/users/sign_in">') },
    'login_required: ',
  ],
  ['a form as the home page', { '/': form }, 'login_required: '],
  ['a status 401', { '*': refusal(401, 'no', 'WWW-Authenticate: Basic') }, 'login_required: '],
  ['a marked 403', { '*': refusal(403, 'no', 'cf-mitigated: challenge') }, 'target_challenge: '],
  ['a marked 429', { '*': refusal(429, 'no', 'x-vercel-mitigated: challenge') }, 'target_challenge: '],
  [
    'a 503 that a browser solves',
    { '*': refusal(503, '<title>Just a moment...</title><form action="/?__cf_chl_f_tk=x">') },
    'target_challenge: ',
  ],
  ['a puzzle', { '*': refusal(403, '<div id="px-captcha"></div>') }, 'target_challenge: '],
  [
    'a challenge that says all is well',
    { '/': '<iframe src="/_Incapsula_Resource?x"></iframe>' },
    'target_challenge: ',
  ],
  [
    'a question that is answered with 200',
    { '*': page('Robot check', '<p>Enter the characters you see below.</p><form><input></form>') },
    'target_challenge: ',
  ],
  [
    'a proof of work',
    { '*': page('Checking you are not a bot', '<script src="/x/go-away/challenge.mjs"></script>') },
    'target_challenge: ',
  ],
  [
    'a cookie that a script computes',
    { '*': refusal(503, '<script>document.cookie="t="+slowAES.decrypt(c,2,a,b)</script>') },
    'target_challenge: ',
  ],
  ['an empty shell', { '/': shell }, 'scripts_required: '],
  [
    'an error',
    { '*': refusal(500, 'broken'), '/robots.txt': 'User-agent: *\nAllow: /\n' },
    'home_unavailable: The site answered with an error status.',
  ],
]

export const checks: readonly Check[] = [
  ...walls.map(([what, site, warning]) => ({
    name: `a site behind ${what} gets a template and a warning that says so`,
    async run() {
      const { bundle } = await look({ [siteHost]: site })
      assert.equal(bundle.mode, 'template')
      assert.ok(
        bundle.warnings.some((text) => text.startsWith(warning)),
        bundle.warnings.join('\n'),
      )
      assert.deepEqual(locs(bundle), [`${siteOrigin}/`])
      assert.match(bundle.llms, /^# site\.example\.com\n/)
      assert.doesNotMatch(bundle.llms, /sign in|my app|moment/i)
    },
  })),
  {
    name: 'pages that lead to a login are left out of a site whose other pages are public',
    async run() {
      const { bundle } = await look({
        [siteHost]: {
          '/': page(
            'Home',
            '<a href="/open">Open</a><a href="/account">Account</a><a href="/login">Log in</a>',
          ),
          '/open': page('Open'),
          '/account': redirect('/login?next=/account'),
          '/login': form,
          '/login?next=/account': form,
        },
      })
      assert.equal(bundle.mode, 'crawl')
      assert.deepEqual(
        locs(bundle),
        ['/', '/open', '/login'].map((path) => siteOrigin + path),
      )
      assert.deepEqual(bundle.warnings, ['login_required: 1 other pages ask for a login and were left out'])
    },
  },
  {
    name: 'a site with a login on its home page, scripts and few words is no wall',
    async run() {
      const links = Array.from({ length: 20 }, (_, at) => `<a href="/p${at}">Topic ${at}</a>`).join('')
      for (const body of [
        `<input type=password>${links}<script src=/challenge-platform.js></script>`,
        '<p>Leave your address, and we write when the shop opens.</p><form><div class="h-captcha"></div></form>',
        '<h1>How sites tell that you are human</h1><p>Slow AES, and other words that challenges have.</p><p>None here.</p>',
        '<h1>Hello</h1><p>A short page of one sentence, which nobody has to log in for.</p><script></script>',
      ]) {
        const { bundle } = await look({ [siteHost]: { '/': page('Forum', body) } }, { pagesMax: 1 })
        assert.equal(bundle.mode, 'crawl')
        assert.match(bundle.llms, /^# Forum\n/)
        assert.deepEqual(bundle.warnings, [])
      }
    },
  },
  {
    name: 'public pages of a sitemap are listed though the home page asks for a login',
    async run() {
      const { bundle } = await look({
        [siteHost]: {
          '/': redirect('/login'),
          '/login': form,
          '/sitemap.xml': `<urlset><url><loc>${siteOrigin}/docs</loc></url></urlset>`,
          '/docs': page('Docs'),
        },
      })
      assert.equal(bundle.mode, 'sitemap+crawl')
      assert.deepEqual(locs(bundle), [`${siteOrigin}/docs`])
      assert.match(bundle.llms, /^# site\.example\.com\n/)
    },
  },
]
