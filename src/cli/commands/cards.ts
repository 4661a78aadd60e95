import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import type { Command } from 'commander'
import { templateChoices } from '../../assets/card/query.ts'
import { alignments, schemes, sizeNames } from '../../assets/og/theme.ts'
import { escapeControls, escapeControlsOfLines } from '../../lib/human-format.ts'
import { type PixelFormatName, pixelFormatNames } from '../../raster/picture-formats.ts'
import type { CardOrigin } from '../cards/cards-run.ts'
import { publicBase, readBase } from '../cards/page-path.ts'
import { checkLook, readLook } from '../cards/read-look.ts'
import { type CardsOutcome, runCards } from '../cards/run-cards.ts'
import { openSignedCards, readSecret } from '../cards/signed-cards.ts'
import { cacheFolder, outFolder } from '../cards/site-folder.ts'
import { onEndSignals } from '../end-signals.ts'
import { append, commandOf } from '../parameter-options.ts'
import { processorCount } from '../processor-count.ts'
import type { CommandContext, Environment } from '../runtime.ts'
import texts from './cards.json' with { type: 'json' }

type CardsOptions = Readonly<
  Partial<
    Record<'base' | 'out' | 'size' | 'scheme' | 'align' | 'brand' | 'accent' | 'template', string> &
      Record<'server' | 'key' | 'secret' | 'cache' | 'sheet', string> &
      Record<'replace' | 'keepDefault' | 'all' | 'prune' | 'check', true> &
      Record<'strict' | 'dryRun' | 'json' | 'quiet', true> & {
        format: PixelFormatName
        theme: readonly string[]
        picture: 'none' | 'page'
      }
  >
>

export function cardsCommand({ env, print, end }: CommandContext): Command {
  return commandOf('cards', texts, {
    '--format': pixelFormatNames,
    '--size': sizeNames,
    '--theme': append,
    '--scheme': schemes,
    '--align': alignments,
    '--template': templateChoices,
    '--picture': ['none', 'page'],
  }).action(async (folder: string, options: CardsOptions) => {
    end(await runCommand(folder, options, { env, print }))
  })
}

async function runCommand(
  given: string,
  options: CardsOptions,
  { env, print }: Pick<CommandContext, 'env' | 'print'>,
): Promise<number> {
  const folder = resolve(given)
  if (!statSync(folder).isDirectory()) throw new Error(`${given}: it is a file, not a folder.`)
  const stop = new AbortController()
  onEndSignals(
    () => stop.abort(),
    () => process.exit(130),
  )
  function warn(line: string): void {
    if (!options.quiet) process.stderr.write(`${escapeControls(line)}\n`)
  }
  // The layout of cards keeps another processor busy.
  const jobs = Math.max(1, Math.min(Math.floor(processorCount() / 2), jobsMax))
  const origin = await openOrigin(folder, options, jobs, env, warn)
  try {
    // A photograph makes a PNG that is too large for some networks.
    const format = options.format ?? (options.picture === 'page' ? 'jpeg' : 'png')
    const look = readLook({ ...options, format }, origin)
    await checkLook(look, origin)
    const base = options.base === undefined ? undefined : readBase(options.base)
    if (base !== undefined && publicBase(base) === undefined)
      warn(`${base} is no public URL: no network can show the cards there.`)
    const outcome = await runCards({
      ...options,
      folder,
      out: outFolder(folder, options.out ?? 'og'),
      cache: resolve(options.cache ?? cacheFolder(folder, env)),
      base,
      format,
      look,
      origin,
      atOnce: 2 * jobs,
      isDry: options.check === true || options.dryRun === true,
      stop: stop.signal,
      nowMs: Date.now(),
      warn,
    })
    tell(outcome, options, print)
    if (stop.signal.aborted) return 130
    const wrong = [...outcome.stale, ...(options.strict ? outcome.unshown : [])]
    return outcome.failures.length > 0 || (options.check && wrong.length > 0) ? 1 : 0
  } finally {
    await origin.close()
  }
}

function tell(outcome: CardsOutcome, options: CardsOptions, print: (text: string) => void): void {
  for (const { file, reason } of outcome.failures)
    process.stderr.write(`${escapeControls(`${file}: ${reason}`)}\n`)
  if (options.json) {
    print(escapeControlsOfLines(JSON.stringify(outcome.json, null, 2)))
    return
  }
  const told = options.check ? [...outcome.stale, ...outcome.unshown] : outcome.stale
  for (const { file, reason } of told) print(escapeControls(`${file}: ${reason}`))
  if (!options.quiet) print(outcome.lines.map(escapeControls).join('\n'))
}

async function openOrigin(
  folder: string,
  options: CardsOptions,
  jobs: number,
  env: Environment,
  warn: (line: string) => void,
): Promise<CardOrigin> {
  const { server, key = env['MINTMARK_KEY'], secret, brand, picture } = options
  const hasPictures = picture === 'page'
  if (server === undefined) {
    // Loaded apart: the client has nothing that draws.
    const { openDrawnCards } = await import('../cards/drawn-cards.ts')
    return openDrawnCards(folder, brand, hasPictures, jobs, env, warn)
  }
  if (hasPictures)
    throw new Error('--picture page does not go with --server: the picture is not in an address.')
  if (!key) throw new Error('--server needs --key or MINTMARK_KEY; GET /api/key gives a pair.')
  return openSignedCards(server, { key, secret: readSecret(secret, env, warn) }, brand, env)
}

/** More painters at once would take more memory than a build has to spare. */
const jobsMax = 4
