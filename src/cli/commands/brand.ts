import { join } from 'node:path'
import type { Command } from 'commander'
import { themeWarnings } from '../../assets/og/engine/read-theme.ts'
import { type Brands, createBrands } from '../../brands/brands.ts'
import { createUploadReaders, importLimits, importReaders } from '../../brands/check-form.ts'
import { systemClock } from '../../lib/clock.ts'
import { createPictureDrawer } from '../../raster/picture-process/picture-drawer.ts'
import { folderError, readBrandFolder, writeBrandFolder } from '../brands/brand-folder.ts'
import { withStore } from '../installation.ts'
import { commandOf } from '../parameter-options.ts'
import type { CommandContext, Environment } from '../runtime.ts'
import texts from './brand.json' with { type: 'json' }

export function brandCommand({ env, print }: CommandContext): Command {
  const list = commandOf('list', texts.list).action(() =>
    withBrands(env, async (brands) => print(listing(brands))),
  )
  const importing = commandOf('import', texts.import).action((folder: string) =>
    withBrands(env, async (brands) => print(await importBrand(brands, folder)), true),
  )
  const exporting = commandOf('export', texts.export).action((reference: string, folder: string) =>
    withBrands(env, async (brands) => print(await exportBrand(brands, reference, folder))),
  )
  return commandOf('brand', texts.brand).addCommand(list).addCommand(importing).addCommand(exporting)
}

function listing(brands: Brands): string {
  const rows = brands.list().map(({ slug, revision, access, archivedAtMs, name }) => {
    const state =
      archivedAtMs === undefined ? `for ${access === 'keys' ? 'chosen keys' : 'everyone'}` : 'archived'
    return `${`${slug}@${revision}`.padEnd(24)}${state.padEnd(18)}${name}`
  })
  return rows.length === 0 ? 'There are no brands.' : rows.join('\n')
}

async function importBrand(brands: Brands, folder: string): Promise<string> {
  const form = readBrandFolder(folder, importLimits)
  if ('mistakes' in form) throw new Error(form.mistakes.map((line) => join(folder, line)).join('\n'))
  const slug = form.texts.slug?.trim() ?? ''
  const entry = brands.find(slug)
  const saved = await brands.save(form, entry && slug)
  if ('mistakes' in saved) throw folderError(folder, form, saved.mistakes)
  const { themeFile } = form.files
  const warnings = themeFile ? themeWarnings(themeFile.bytes) : []
  const archived = entry?.archivedAtMs === undefined ? '' : ' It is archived: restore it in the admin.'
  const lines = [
    `${folder} is ${saved.slug}@${saved.revision}.${archived}`,
    ...warnings.map((warning) => `${join(folder, themeFile?.name ?? '')}: ${warning}`),
  ]
  return lines.join('\n')
}

async function exportBrand(brands: Brands, reference: string, folder: string): Promise<string> {
  const [slug = '', number] = reference.split('@')
  const entry = brands.find(slug)
  if (entry === undefined) throw new Error(`There is no brand ${slug}. "brand list" prints all.`)
  const revision = number === undefined ? entry.revision : Number(number)
  if (!(revision in [0, ...entry.digests]) || revision === 0)
    throw new Error(`${slug} has the revisions 1 to ${entry.revision}.`)
  const { name } = await brands.revision(slug, revision)
  const files = await writeBrandFolder(
    folder,
    { ...entry, name, revision },
    await brands.load(slug, revision),
    await brands.themeFile(slug, revision),
  )
  return `${slug}@${revision} is in ${folder}: ${files.join(', ')}`
}

function withBrands(env: Environment, work: (brands: Brands) => Promise<void>, makesDatabase = false) {
  return withStore(env, makesDatabase, async (store) => {
    const pictures = createPictureDrawer()
    try {
      const readers = importReaders(createUploadReaders(pictures), store.brands)
      const brands = createBrands({ store, clock: systemClock, readers })
      await brands.refresh()
      await work(brands)
    } finally {
      pictures.close()
    }
  })
}
