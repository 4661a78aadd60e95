import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { decodeHTMLAttribute } from 'entities'
import { escapeControls, escapeControlsOfLines, formatCount } from '../../lib/human-format.ts'
import { isJsonObject } from '../../lib/json.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { bomEncoding } from '../../web/charset.ts'
import { findFiles } from '../cards/site-folder.ts'
import { commandOf } from '../parameter-options.ts'
import { createProgressBar, forEachAtOnce } from '../run-program.ts'
import type { CommandContext } from '../runtime.ts'
import texts from './check.json' with { type: 'json' }

export function checkCommand({ env, print, end }: CommandContext): Command {
  return commandOf('check', texts).action(
    async (folder: string, options: { readonly server?: string; readonly json?: true }) => {
      const server = readServer(options.server ?? env['MINTMARK_URL'])
      const named = namedUrls(resolve(folder), server)
      const progress = createProgressBar(named.size, 'URLs')
      const refused = await refusedUrls(named, server, progress.step).finally(progress.end)
      const json = { server: server.href, urls: named.size, refused }
      if (options.json) print(escapeControlsOfLines(JSON.stringify(json, null, 2)))
      else print([...refused.map(line), summary(server, named.size, refused.length)].join('\n'))
      end(refused.length === 0 ? 0 : 1)
    },
  )
}

function readServer(text: string | undefined): URL {
  const url = URL.parse(text ?? '')
  if (url !== null && /^https?:$/.test(url.protocol) && !hasUser(url) && url.search === '' && url.hash === '')
    return url
  throw new Error(
    text
      ? `--server must be an absolute http or https URL without a user and a query, not ${text.replace(/^([^/]*)\/\/.*@/, '$1//…@')}.`
      : '--server or MINTMARK_URL must say which server to ask.',
  )
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

/** True if a URL is of the server, and does not only look like it: pages may spell URLs to deceive. */
function isOf(url: URL, server: URL): boolean {
  const below = server.pathname.replace(/\/$/, '')
  return (
    url.origin === server.origin &&
    !hasUser(url) &&
    (url.pathname === below || url.pathname.startsWith(`${below}/`))
  )
}

function namedUrls(folder: string, server: URL): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  const place = `${server.host}${server.pathname.replace(/\/$/, '')}`.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  // Ends where no URL goes on in any of the languages of files.
  const pattern = new RegExp(`(?:https?:)?//${place}(?=[/?#"'\\s<>&]|$)[^"'\\s<>\\\\\`]*`, 'gi')
  const found = findFiles(folder)
  const [unreadable] = found.unreadable
  if (unreadable !== undefined) throw unreadable.error
  for (const path of found.files) {
    if (!readable.test(path)) continue
    const urls = textOf(join(folder, path)).match(pattern) ?? []
    for (const url of new Set(urls.flatMap((text) => urlIn(text, server)))) {
      const known = files.get(url) ?? []
      known.push(path)
      files.set(url, known)
    }
  }
  return files
}

const readable = /\.(?:x?html?|xml|svg|rss|atom|css|json|webmanifest|txt|md)$/i

function textOf(path: string): string {
  const bytes = readFileSync(path)
  return new TextDecoder(bomEncoding(bytes) ?? 'utf-8')
    .decode(bytes)
    .replaceAll('\\/', '/')
    .replace(/\\u00([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** The URL at the beginning of a text, as a reader asks for it; none where it is a template or of another server. */
function urlIn(text: string, server: URL): readonly string[] {
  const [decoded = ''] = decodeHTMLAttribute(text).split(/["'\s<>]/)
  const url = URL.parse(untilClosed(decoded).replace(/(?<![,;.])[,;.]+$/, ''), server)
  if (url === null || !isOf(url, server) || /\$\{|\{\{|\{%|<%/.test(decoded)) return []
  url.hash = ''
  return [url.href]
}

/** A text up to the bracket that was opened before it, as in `url(…)` and Markdown. */
function untilClosed(text: string): string {
  let depth = 0
  for (const [index, character] of [...text].entries()) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return [...text].slice(0, index).join('')
  }
  return text
}

const atOnce = 8

async function refusedUrls(named: ReturnType<typeof namedUrls>, server: URL, onDone: () => void) {
  const refused: Refused[] = []
  await forEachAtOnce([...named], atOnce, async ([url, files]) => {
    const refusal = await refusalOf(url, server)
    if (refusal !== undefined) refused.push({ url, ...refusal, files })
    onDone()
  })
  return refused.toSorted((one, other) => (one.url < other.url ? -1 : 1))
}

const redirectsMax = 5

/** Says why the server refuses a URL. One that it grants, or redirects to another server, which is not asked, is fine. */
async function refusalOf(
  url: string,
  server: URL,
  redirects = 0,
): Promise<Pick<Refused, 'status' | 'reason'> | undefined> {
  const { ok, status, headers } = await ask(url, 'HEAD')
  if (ok) return undefined
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null) {
    const target = URL.parse(location, url)
    if (redirects === redirectsMax) return { status, reason: 'it redirects again and again' }
    return target !== null && isOf(target, server) ? refusalOf(target.href, server, redirects + 1) : undefined
  }
  const response = await ask(url, 'GET')
  if (response.ok) return void (await response.body?.cancel())
  const problem: unknown = await response.json().catch(() => undefined)
  const { code, detail } = isJsonObject(problem) ? problem : {}
  const reason = [code, detail].filter((text) => typeof text === 'string').join(': ')
  return { status: response.status, reason: reason || response.statusText }
}

const triesMax = 4
const waitSecondsMax = 20

async function ask(url: string, method: 'HEAD' | 'GET'): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await send(url, method)
    const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const isBusy = response.status === 429 || response.status === 503
    if (!isBusy || tries === triesMax || !(waitSeconds <= waitSecondsMax)) return response
    await response.body?.cancel()
    await sleep(waitSeconds * 1000)
  }
}

async function send(url: string, method: string): Promise<Response> {
  const headers = { accept: 'application/problem+json, */*' }
  const signal = AbortSignal.timeout(60_000)
  try {
    // biome-ignore lint/style/noRestrictedGlobals: the user names the server, which may be on a private address
    return await fetch(url, { method, headers, redirect: 'manual', signal })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(`${new URL(url).origin} does not answer: ${reasonOf(cause)}`, { cause: error })
  }
}

interface Refused {
  readonly url: string
  readonly status: number
  readonly reason: string
  readonly files: readonly string[]
}

function line({ url, status, reason, files: [first = '', ...others] }: Refused): string {
  const more = others.length === 0 ? '' : ` and ${formatCount(others.length)} more`
  return `${escapeControls(`${first}${more}: ${status} ${reason}`)}\n  ${url}`
}

function summary(server: URL, urls: number, refused: number): string {
  if (urls === 0) return `No file names a URL of ${server.href}`
  return `${formatCount(urls)} URL${urls === 1 ? '' : 's'} of ${server.href}, ${refused === 0 ? 'none' : formatCount(refused)} refused`
}
