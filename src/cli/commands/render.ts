import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { assets } from '../../catalog.ts'
import { brandJsonName } from '../brands/brand-json.ts'
import { onEndSignals } from '../end-signals.ts'
import { addParameterOptions, onceOption } from '../parameter-options.ts'
import { createDrawer, type Drawer } from '../render/drawer.ts'
import { nameColumns, planFiles } from '../render/plan-files.ts'
import { createProgressBar } from '../render/progress-bar.ts'
import { renderFiles } from '../render/render-files.ts'
import { readRows } from '../rows/read-rows.ts'
import type { RowValue } from '../rows/row.ts'
import { readRowRequests } from '../rows/row-request.ts'

/** The assets whose bytes depend on their parameters alone. */
const drawnAssets = assets.filter(({ isLive, priceMicros }) => !isLive && priceMicros !== undefined)

const jobsMax = 64

const help = `
--brand takes a folder too, with brand.json and the files that it names, as "mintmark brand export" writes one; rows may
then name its slug in a column brand. A brand that only a server knows is exported first.

A column \`kind\` (og, badge, avatar) says what a row is; og when missing. Parameters that are given as options hold
for rows without that column. Unchanged pictures are kept, and a run that was stopped goes on where it was.`

/**
 * `render --from cards.csv --out cards`: draws a picture for each row without a server. All rows are checked before the
 * first is drawn; a run that was stopped goes on where it was.
 */
export function renderCommand(print: (text: string) => void, end: (exitCode: number) => void): Command {
  const command = new Command('render')
    .description('draw a picture for each row of a file, without a server')
    .addOption(
      onceOption(
        '--from <file>',
        'CSV with a head, or one JSON object a line; - is the standard input',
      ).makeOptionMandatory(),
    )
    .addOption(
      onceOption('--out <directory>', 'where the pictures and manifest.json go').makeOptionMandatory(),
    )
    .addOption(
      onceOption(
        '--name <template>',
        "names the files, such as '{slug}.png', from the columns; without it the hash of the content does",
      ),
    )
    .addOption(
      onceOption(
        '--jobs <number>',
        'PNGs, JPEGs and WebPs painted at once, 1 when missing; each takes some 50 MB',
      ),
    )
  const readParameters = addParameterOptions(command, drawnAssets, ['name'])
  return command.addHelpText('after', help).action(async () => {
    const { from, out, name, jobs } = command.opts<RenderOptions>()
    const jobCount = readJobs(jobs)
    const parameters = readParameters()
    const brandFolder = folderIn(parameters.get('brand'))
    const drawer = await createDrawer(drawnAssets, jobCount, brandFolder)
    try {
      const requests = readRowRequests(await readRows(from), {
        assets: drawnAssets,
        parser: drawer.parser,
        defaults: new Map([...formatOf(name), ...parameters, ...brandOf(drawer)]),
        ownColumns: nameColumns(name),
      })
      const stop = new AbortController()
      onEndSignals({ end: () => stop.abort(), endNow: () => process.exit(130) })
      const progress = createProgressBar(process.stderr, requests.length, () => performance.now())
      const result = await renderFiles({
        files: planFiles(requests, name),
        directory: out,
        draw: drawer.draw,
        atOnce: 2 * jobCount,
        stop: stop.signal,
        onDone: progress.step,
      }).finally(progress.end)
      const { drawn, kept } = result
      print(
        stop.signal.aborted
          ? `Stopped after ${drawn + kept} of ${requests.length} pictures; the same command goes on from here.`
          : `${out}: ${drawn} drawn, ${kept} unchanged`,
      )
      if (stop.signal.aborted) end(130)
    } finally {
      drawer.close()
    }
  })
}

/** The brand of a folder holds for rows that name none. */
function brandOf({
  brandSlug,
}: Pick<Drawer, 'brandSlug'>): readonly (readonly [name: string, value: string])[] {
  return brandSlug === undefined ? [] : [['brand', brandSlug]]
}

/** The folder that `--brand` names; undefined for a slug. */
function folderIn(brand: RowValue | undefined): string | undefined {
  if (typeof brand !== 'string') return undefined
  return /[./\\]/.test(brand) || existsSync(join(brand, brandJsonName)) ? brand : undefined
}

/** The format that the names end with, for runs that are told no other. */
function formatOf(template = ''): readonly (readonly [name: string, value: string])[] {
  const [, extension] = /\.(svg|png|jpe?g|webp)$/i.exec(template) ?? []
  return extension === undefined ? [] : [['format', extension.toLowerCase().replace('jpg', 'jpeg')]]
}

interface RenderOptions {
  readonly from: string
  readonly out: string
  readonly name?: string
  readonly jobs?: string
}

function readJobs(text = '1'): number {
  const jobs = Number(text)
  if (/^\d+$/.test(text) && jobs >= 1 && jobs <= jobsMax) return jobs
  throw new Error(`--jobs must be a whole number from 1 to ${jobsMax}.`)
}
