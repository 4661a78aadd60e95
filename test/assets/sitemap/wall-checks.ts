import assert from 'node:assert/strict'
import type { Check } from '../../support/check.ts'
import { check } from '../../support/make-check.ts'
import { locs, look, page, type Site, siteHost, siteOrigin } from './look.ts'
import wallTable from './walls.json' with { type: 'json' }

const form = page('Sign in', '<form><input name=u><input type=password name=p></form>')

function redirect(location: string) {
  return { status: 302, headers: [`Location: ${location}`] }
}

/** Sites that show nobody their home page, with the warning that names why. */
const walls = wallTable as unknown as readonly (readonly [what: string, site: Site, warning: string])[]

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
  check('pages that lead to a login are left out of a site whose other pages are public', async () => {
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
  }),
  check('a site with a login on its home page, scripts and few words is no wall', async () => {
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
  }),
  check('public pages of a sitemap are listed though the home page asks for a login', async () => {
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
  }),
]
