import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { embedSecondsMax } from '../../access/signature-verifier.ts'
import { assets } from '../../catalog.ts'
import { parameterRules } from '../../client/parameter-rules.ts'
import { shareCardOf } from '../../client/share-card-of.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'
import type { QueryPair } from '../../lib/query-pairs.ts'
import { countCodePoints } from '../../text/clean-text.ts'
import { brandFolder } from '../brands/brand-folder.ts'
import { addParameterOptions, commandOf } from '../parameter-options.ts'
import { InputError, type RowValue, readRowRequests, readRows } from '../rows/read-rows.ts'
import { createProgressBar } from '../run-program.ts'
import type { CommandContext } from '../runtime.ts'
import { createBrandRevisions, createUrlSigner, type UrlSigner } from '../sign/url-signer.ts'
import texts from './sign.json' with { type: 'json' }

/** The server's own rules refuse here what the server would refuse. */
export function signCommand({ env, print }: CommandContext): Command {
  const command = commandOf('sign', { ...texts, help: undefined }, { '--form': ['path', 'query'] })
  const readParameters = addParameterOptions(command, assets)
  return command.addHelpText('after', `\n${texts.help}`).action(async () => {
    const options = command.opts<SignOptions>()
    const { key = env['MINTMARK_KEY'], secret = env['MINTMARK_SECRET'] } = options
    if (!key || !secret) throw new Error(missingPair(key, secret))
    const given = readParameters()
    const brands = createBrandRevisions(env, key, brandFolder(given.get('brand')))
    const signer = createUrlSigner({
      base: options.base ?? env['MINTMARK_URL'] ?? 'http://localhost:3000',
      pair: { key, secret },
      exp: readEnd(options, Date.now() / 1000),
      form: options.form,
      revisionOf: brands.of,
    })
    const parameters = brands.slug === undefined ? given : new Map([...given, ['brand', brands.slug]])
    try {
      if (options.from === undefined) print(await signOne(signer, options, parameters))
      else await signRows(signer, { ...options, from: options.from }, parameters, print)
    } finally {
      await brands.close()
    }
  })
}

type Named = 'key' | 'secret' | 'base' | 'path' | 'days' | 'exp' | 'alt' | 'from' | 'out'
type SignOptions = Readonly<Partial<Record<Named, string> & { form: 'path' | 'query' }>>

type Parameters = ReadonlyMap<string, RowValue>

/** True if a card takes the texts only if it may cut them. */
function isLong(parameters: Parameters): boolean {
  return Object.entries(parameterRules['og'] ?? {}).some(([name, rule]) => {
    const [, max = 0, longerMax] = (typeof rule === 'object' && rule.chars) || []
    return longerMax !== undefined && countCodePoints(String(parameters.get(name) ?? '')) > max
  })
}

/** A page is built whatever its title: one that is too long for a card is cut, unless the caller says otherwise. */
function withEllipsis(parameters: Parameters): Parameters {
  return new Map([['overflow', 'ellipsis'], ...parameters])
}

async function signOne(signer: UrlSigner, options: SignOptions, parameters: Parameters): Promise<string> {
  if (options.out !== undefined) throw new Error('--out goes with --from.')
  if (parameters.size === 0 && !options.path?.includes('?'))
    throw new Error('sign needs a parameter, such as --title "Hello", or --from; --help tells more.')
  const path = options.path ?? '/api/og'
  const isCard = shareCardOf(new URL(path, 'http://localhost')) !== undefined
  const isCut = isCard && !path.includes('overflow=') && isLong(parameters)
  return signedSnippets(signer, path, isCut ? withEllipsis(parameters) : parameters, options.alt)
}

async function signRows(
  signer: UrlSigner,
  { from, out, path, alt }: SignOptions & { readonly from: string },
  defaults: Parameters,
  print: (text: string) => void,
): Promise<void> {
  if (path !== undefined || alt !== undefined)
    throw new Error('--path and --alt do not go with --from: a row names its asset by a column kind.')
  const requests = await readRowRequests(await readRows(from), {
    assets,
    parser: signer.parser,
    defaults: withEllipsis(defaults),
    ownColumns: new Set(),
  })
  const urls = []
  const progress = createProgressBar(requests.length, 'URLs')
  for (const { row, asset, parameters } of requests) {
    const url = await signer.sign(asset.path, parameters).catch((error: Error) => {
      progress.end()
      throw new InputError([`${row.source}:${row.line}: ${error.message}`])
    })
    progress.step()
    urls.push({ line: row.line, row: Object.fromEntries(row.fields), url })
  }
  progress.end()
  const manifest = `${JSON.stringify({ urls }, null, 2)}\n`
  if (out === undefined) print(manifest)
  else writeFileSync(out, manifest)
}

function missingPair(key: string | undefined, secret: string | undefined): string {
  if (key) return 'sign needs --secret, or MINTMARK_SECRET: it came with the key, and only then.'
  if (secret) return 'sign needs --key, or MINTMARK_KEY: the id that GET /api/key gave with the secret.'
  return 'sign needs --key and --secret, or MINTMARK_KEY and MINTMARK_SECRET; GET /api/key gives a pair.'
}

const daysMax = 3_652

/** Returns until when a URL is valid, in unix seconds; undefined if no option says so. Throws for what the server would refuse. */
function readEnd({ days, exp }: { readonly days?: string; readonly exp?: string }, nowSeconds: number) {
  if (days !== undefined && exp !== undefined)
    throw new Error('--days and --exp say the same: give one of them.')
  if (exp !== undefined) return readExp(exp, nowSeconds)
  if (days === undefined) return undefined
  const count = Number(days)
  if (count > 0 && count <= daysMax) return Math.floor(nowSeconds + count * 86_400)
  throw new Error(`--days must be a number above 0, at most ${daysMax}.`)
}

function readExp(text: string, nowSeconds: number): number {
  const exp = Number(text)
  if (!/^\d{1,15}$/.test(text)) throw new Error('--exp must be a whole number of unix seconds.')
  if (exp < nowSeconds)
    throw new Error(`--exp ${text} lies in the past: it must be in unix seconds, ahead of now.`)
  const late = `--exp ${text} is more than ten years ahead: it must be in unix seconds, not milliseconds.`
  if (exp > nowSeconds + embedSecondsMax) throw new Error(late)
  return exp
}

/** Returns a signed address, then HTML and Markdown that show it, and for a card the tag of a page's head: a line each. */
async function signedSnippets(signer: UrlSigner, path: string, parameters: Parameters, alt?: string) {
  const pairs = [...parameters].flatMap(([name, value]) =>
    [value].flat().map((one): QueryPair => [name, one]),
  )
  const url = await signer.sign(path, pairs)
  const call = new URL(path, 'http://localhost')
  for (const [name, value] of pairs) call.searchParams.append(name, value)
  const card = shareCardOf(call)?.url
  const cardUrl = card && (await signer.sign(card.pathname + card.search, []))
  const text =
    alt ?? String(parameters.get('title') ?? parameters.get('value') ?? parameters.get('name') ?? '')
  return [
    url,
    `<img src="${escapeHtml(url)}" alt="${escapeHtml(text)}">`,
    ...(cardUrl ? [`<meta property="og:image" content="${escapeHtml(cardUrl)}">`] : []),
    `![${text.replace(/[\\[\]]/g, '\\$&')}](${url})`,
  ].join('\n')
}
