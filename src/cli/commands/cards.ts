import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { Command, Option } from 'commander'
import { templateChoices } from '../../assets/card/query.ts'
import { sizeNames } from '../../assets/og/card-sizes.ts'
import { schemes } from '../../assets/og/theme.ts'
import { escapeControls, escapeControlsOfLines, listOf } from '../../lib/human-format.ts'
import { type PixelFormatName, pixelFormatNames } from '../../raster/picture-formats.ts'
import type { CardOrigin } from '../cards/card-source.ts'
import { publicBase, readBase } from '../cards/find-base.ts'
import { cacheFolder, outFolder } from '../cards/out-folder.ts'
import { checkLook, readLook } from '../cards/read-look.ts'
import { type CardsOutcome, runCards } from '../cards/run-cards.ts'
import { openSignedCards, readSecret } from '../cards/signed-cards.ts'
import { onEndSignals } from '../end-signals.ts'
import { append, choiceOption, onceOption } from '../parameter-options.ts'
import { processorCount } from '../processor-count.ts'
import type { CommandContext, Environment } from '../runtime.ts'

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
  return new Command('cards')
    .description('give every page of a built site its card and its tags')
    .argument('<folder>', 'what a site generator wrote')
    .addOption(onceOption('--base <url>', 'where the site will be; found in its pages when missing'))
    .addOption(onceOption('--out <path>', 'folder of the pictures in the folder; og when missing'))
    .addOption(
      choiceOption('--format <format>', `${listOf(pixelFormatNames)}; png when missing`, pixelFormatNames),
    )
    .addOption(choiceOption('--size <size>', listOf(sizeNames), sizeNames))
    .addOption(new Option('--theme <theme>', 'of all cards, or of a section: docs/=grid').argParser(append))
    .addOption(choiceOption('--scheme <scheme>', listOf(schemes), schemes))
    .addOption(choiceOption('--align <where>', 'start or center', ['start', 'center']))
    .addOption(
      choiceOption('--template <template>', `${listOf(templateChoices)}; auto when missing`, templateChoices),
    )
    .addOption(onceOption('--accent <colour>', 'that of the page or of the site when missing'))
    .addOption(onceOption('--brand <brand>', 'a folder with brand.json, or slug@revision'))
    .addOption(choiceOption('--picture <which>', 'page: its own first large picture', ['none', 'page']))
    .addOption(onceOption('--server <url>', 'signed addresses of a server, which is asked nothing'))
    .addOption(onceOption('--key <id>', 'with --server: the key, or MINTMARK_KEY'))
    .addOption(onceOption('--secret <hex>', 'its secret, or better MINTMARK_SECRET'))
    .option('--replace', 'replace pictures that pages have of their own')
    .option('--keep-default', 'keep the picture that most pages share')
    .option('--all', 'redirects, noindex pages and 404 too')
    .addOption(onceOption('--cache <path>', 'where pictures are kept between runs'))
    .option('--prune', 'remove pictures that no page names, however new')
    .addOption(onceOption('--sheet <file>', 'write a page with all cards'))
    .option('--check', 'write nothing; exit 1 with the list of stale pages')
    .option('--strict', 'with --check: pictures that no network shows make it 1 too')
    .option('--dry-run', 'write nothing; say what would be')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'print failures only')
    .addHelpText('after', help)
    .action(async (folder: string, options: CardsOptions) => {
      end(await runCommand(folder, options, { env, print }))
    })
}

const help = `
The secret may also be in MINTMARK_SECRET_FILE or on the standard input. A page
says what its card shows by <meta name="mintmark:title" content="…">; also
subtitle, eyebrow, author, url, theme, scheme, align, accent, logo, lang, template
and the parameters of that.
Exit code: 0 done; 1 wrong usage, or a page failed or is stale (--check).`

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
    const format = options.format ?? (origin.pagePictures === undefined ? 'png' : 'jpeg')
    const look = readLook({ ...options, format, brand: origin.brand })
    await checkLook(look, origin.brands, origin.signed)
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
    return openDrawnCards({ folder, brand, hasPictures, jobs, env, warn })
  }
  if (hasPictures)
    throw new Error('--picture page does not go with --server: the picture is not in an address.')
  if (!key) throw new Error('--server needs --key or MINTMARK_KEY; GET /api/key gives a pair.')
  return openSignedCards(server, { key, secret: readSecret(secret, env, warn) }, brand, env)
}

/** More painters at once would take more memory than a build has to spare. */
const jobsMax = 4
