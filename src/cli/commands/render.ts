import process from 'node:process'
import type { Command } from 'commander'
import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import { assets } from '../../catalog.ts'
import { escapeControls } from '../../lib/human-format.ts'
import { formatLabels, formatOfFileName, pixelFormatNames } from '../../raster/picture-formats.ts'
import { createPictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { isThemeFile } from '../cards/read-look.ts'
import { onEndSignals } from '../end-signals.ts'
import { addParameterOptions, commandOf, onceOption } from '../parameter-options.ts'
import { createDrawer } from '../render/drawer.ts'
import { readThemeFile } from '../render/read-theme-file.ts'
import { nameColumns, planFiles, renderFiles } from '../render/render-files.ts'
import { createDerivedBrands, openBrands } from '../render/run-brands.ts'
import { type RowValue, readRowRequests, readRows } from '../rows/read-rows.ts'
import { createProgressBar } from '../run-program.ts'
import type { CommandContext } from '../runtime.ts'
import texts from './render.json' with { type: 'json' }

/** The assets whose bytes depend on their parameters alone. */
const drawnAssets = assets.filter(
  ({ isLive, readsPages, priceMicros }) => !isLive && !readsPages && priceMicros !== undefined,
)

const jobsMax = 64

/** All rows are checked before the first is drawn. A run that was stopped goes on where it was. */
export function renderCommand({ env, print, end }: CommandContext): Command {
  const command = commandOf('render', { ...texts, help: undefined })
  for (const option of command.options) if (option.name() !== 'name') option.makeOptionMandatory()
  command.addOption(onceOption('--jobs <number>', jobsHelp))
  const readParameters = addParameterOptions(command, drawnAssets, ['name'])
  return command.addHelpText('after', `\n${texts.help}`).action(async () => {
    const { from, out, name, jobs = '1' } = command.opts<RenderOptions>()
    const jobCount = /^\d+$/.test(jobs) ? Number(jobs) : 0
    if (jobCount < 1 || jobCount > jobsMax)
      throw new Error(`--jobs must be a whole number from 1 to ${jobsMax}.`)
    const parameters = readParameters()
    const rows = await readRows(from)
    const pictures = createPictureDrawer()
    const parts: { close(): void }[] = [pictures]
    try {
      const isNamed = parameters.has('brand') || rows.some(({ fields }) => fields.has('brand'))
      const given = await openBrands(parameters.get('brand'), isNamed, env, pictures)
      parts.push(given)
      // The format that the names end with, for runs that are told no other.
      const format = formatOfFileName(name ?? '')
      const defaults = new Map(parameters)
      if (format !== undefined && !defaults.has('format')) defaults.set('format', format)
      if (given.slug !== undefined) defaults.set('brand', given.slug)
      const brands = wornBrands(given.brands, defaults)
      const drawer = await createDrawer(drawnAssets, jobCount, { brands, pictures })
      parts.push(drawer)
      const requests = await readRowRequests(rows, {
        assets: drawnAssets,
        parser: drawer.parser,
        defaults,
        ownColumns: nameColumns(name),
      })
      const stop = new AbortController()
      onEndSignals(
        () => stop.abort(),
        () => process.exit(130),
      )
      const progress = createProgressBar(requests.length)
      const result = await renderFiles({
        files: planFiles(requests, name),
        directory: out,
        draw: drawer.draw,
        atOnce: 2 * jobCount,
        stop: stop.signal,
        onDone: progress.step,
      }).finally(progress.end)
      for (const fault of drawer.faults) process.stderr.write(`A card lacks a part: ${fault}\n`)
      const { drawn, kept } = result
      if (!stop.signal.aborted) return print(`${out}: ${drawn} drawn, ${kept} unchanged`)
      const done = `${drawn + kept} of ${requests.length} pictures`
      print(`Stopped after ${done}; the same command goes on from here.`)
      end(130)
    } finally {
      for (const part of parts.reverse()) part.close()
    }
  })
}

/** The brands in the theme of a file, where `--theme` names one; rows without a brand get one that has nothing else. */
function wornBrands(brands: CardBrands, defaults: Map<string, RowValue>): CardBrands {
  const file = defaults.get('theme')
  if (typeof file !== 'string' || !isThemeFile(file)) return brands
  const theme = readThemeFile(file, (line) => process.stderr.write(`${escapeControls(line)}\n`))
  const derived = createDerivedBrands(brands)
  defaults.delete('theme')
  if (!defaults.has('brand')) defaults.set('brand', derived.wear(theme))
  return { ...derived, resolve: (reference) => derived.resolve(derived.wear(theme, reference)) }
}

const jobsHelp = `${formatLabels(pixelFormatNames)} pictures painted at once, 1 when missing; each takes some 50 MB`

type RenderOptions = Readonly<Record<'from' | 'out', string> & Partial<Record<'name' | 'jobs', string>>>
