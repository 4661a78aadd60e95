import { embedUrl } from './embed-url.ts'
import { pngCardOf } from './png-card.ts'

/**
 * `sign --key mk_… --title Hello`: returns an embed URL, and HTML and Markdown that show it. Rejects with an Error that
 * says what is missing.
 */
export async function signCommand(words: readonly string[], defaults: SignDefaults = {}): Promise<string> {
  const options: Readonly<Record<string, string | undefined>> = { ...defaults, ...readOptions(words) }
  const { key, secret, base = 'http://localhost:3000', path = '/api/og', days, alt, ...parameters } = options
  if (key === undefined || secret === undefined || Object.keys(parameters).length === 0)
    throw new Error(usage)
  const endpoint = new URL(path, base)
  const exp = Math.floor(Date.now() / 1000) + Math.round(readDays(days) * 86_400)
  const sign = (one: URL, query: typeof parameters) => embedUrl(one, query, { key, secret }, { exp })
  const url = await sign(endpoint, parameters)
  const card = pngCardOf(endpoint)
  const cardUrl = card && (await sign(card, { ...parameters, format: undefined }))
  const text = alt ?? parameters['title'] ?? parameters['value'] ?? parameters['name'] ?? ''
  return [
    url,
    `<img src="${escapeHtml(url)}" alt="${escapeHtml(text)}">`,
    ...(cardUrl ? [`<meta property="og:image" content="${escapeHtml(cardUrl)}">`] : []),
    `![${text.replace(/[\\[\]]/g, '\\$&')}](${url})`,
  ].join('\n')
}

/** Values for options that are not given. */
export interface SignDefaults {
  readonly key?: string | undefined
  readonly secret?: string | undefined
  /** The service's base URL. */
  readonly base?: string | undefined
}

const usage = `Signs a URL that may stand in a public page:

  sign --key mk_… --secret … --base https://… --title "Hello"

  --key, --secret  the pair that GET /api/key gave; or MINTMARK_KEY and MINTMARK_SECRET
  --base           the service; or MINTMARK_URL; http://localhost:3000
  --path           the endpoint; /api/og
  --days           how long it is valid: 365, at most 3652
  --alt            the alternative text; the title
  --<parameter>    any parameter of the endpoint`

const daysMax = 3_652

function readDays(text = '365'): number {
  const days = Number(text)
  if (days > 0 && days <= daysMax) return days
  throw new Error(`--days must be a number above 0, at most ${daysMax}.`)
}

/** `--name value` and `--name=value`. */
function readOptions(words: readonly string[]): Partial<Record<string, string>> {
  const options: Record<string, string> = {}
  for (let index = 0; index < words.length; index += 1) {
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(words[index] ?? '') ?? []
    if (name === undefined) throw new Error(usage)
    if (value === undefined) index += 1
    const given = value ?? words[index]
    if (given === undefined) throw new Error(`--${name} needs a value.`)
    options[name] = given
  }
  return options
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
}
