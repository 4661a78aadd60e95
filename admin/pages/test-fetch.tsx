/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import type { Preview } from '../../src/assets/preview/preview.ts'
import { formatBytes } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import type { AdminDeps } from '../deps.ts'
import { postForm, submitButton } from '../parts/buttons.tsx'
import { type DescriptionRow, descriptionCard, panel } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { pill } from '../parts/pill.tsx'
import type { FormRequest } from '../session/admin-request.ts'

const urlLengthMax = 2048

export const fetchForm = Type.Object({ url: Type.String({ maxLength: urlLengthMax, default: '' }) })

/** Fetches a page by the rules of previews and shows the result, to tell a fault of the site from one of ours. */
export async function testFetchPage(
  deps: AdminDeps,
  request: FormRequest<typeof fetchForm>,
): Promise<Markup> {
  const { url } = request.form
  await retryWhileLocked(() => request.audit('fetch.test', URL.canParse(url) ? new URL(url).host : ''))
  return adminPage(deps, { title: 'Test fetch', section: 'settings' }, [
    testFetchForm(url),
    descriptionCard('Result', await fetchResult(await deps.loadPreviews(), url)),
  ])
}

export function testFetchForm(url = ''): Markup {
  const field = (
    <label>
      Address of a page
      <input
        name="url"
        type="url"
        required
        maxlength={urlLengthMax}
        value={url}
        placeholder="https://example.com/"
      />
    </label>
  )
  return panel(
    'Test fetch',
    postForm('/admin/test-fetch', [field, submitButton('Fetch')], { class: 'field' }),
  )
}

async function fetchResult(
  previews: Awaited<ReturnType<AdminDeps['loadPreviews']>>,
  url: string,
): Promise<readonly DescriptionRow[]> {
  try {
    return describe(await previews.preview({ url, fresh: true }))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const status = error.targetStatus === undefined ? '' : ` (${error.targetStatus})`
    return [
      ['Status', pill(error.reason, 'bad')],
      ['Explanation', `${error.message}${status}`],
    ]
  }
}

function describe(page: Preview): readonly DescriptionRow[] {
  const { bytes, timing_ms: timing } = page
  const [total, name, connection, head] = [timing.total, timing.dns, timing.connect, timing.headers].map(
    Math.round,
  )
  return [
    ['Status', pill(String(page.http_status), 'ok')],
    ['Title', page.title ?? 'none'],
    ['Final URL', <code>{page.final_url}</code>],
    ['Redirects', String(page.redirects.length)],
    ['Type', page.content_type],
    ['Read', `${formatBytes(bytes.wire)} on the wire, ${formatBytes(bytes.decoded)} decoded`],
    ['Time', `${total} ms: name ${name}, connection ${connection}, head ${head}`],
  ]
}
