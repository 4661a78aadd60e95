import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fingerprintName, readMasterKey } from '../../access/master-key.ts'
import type { Config } from '../../config.ts'
import { packageFile } from '../../lib/package-files.ts'
import { reasonOf } from '../../lib/system-reason.ts'
import { freeBytesNow, freeBytesSoon } from '../../operator/concern-limits.ts'
import { databaseLocation } from '../../store/database-location.ts'
import { openForReading } from '../../store/open-database.ts'
import { modeOpenToOthers } from '../../store/private-files.ts'
import { listFontFiles } from '../../text/list-font-files.ts'
import { readText } from '../read-text.ts'
import { bad, type Finding, ok, warning } from './finding.ts'

/** DATA_DIR: that this user may write there, and nobody else may read. */
export function checkFolder({ DATA_DIR: folder }: Config): Finding {
  if (!existsSync(folder)) return ok(`${folder} is missing; the first start makes it`)
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    return bad(`${folder} cannot be written: ${reasonOf(error)}. Give this user the right to write there`)
  }
  const mode = modeOpenToOthers(folder)
  if (mode === undefined) return ok(`${folder} is this user's alone`)
  return warning(`${folder} has mode ${mode}, so others can read it: chmod 700 ${folder}`)
}

/** Free space where the data is, or will be. */
export function checkDisk({ DATA_DIR: folder }: Config): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(resolve(folder)))
  const freeBytes = bavail * bsize
  const text = `${(freeBytes / 1e9).toFixed(1)} GB free`
  if (freeBytes < freeBytesNow)
    return bad(`${text}: make room, because no call can be counted on a full disk`)
  return freeBytes < freeBytesSoon ? warning(`${text}: a backup may not fit`) : ok(text)
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

/** The database can be opened, has the tables of this version, and was made with this master key. */
export async function checkDatabase(config: Config): Promise<Finding> {
  const location = databaseLocation(config)
  if (location.kind === 'sqlite' && !existsSync(location.path))
    return ok(`${location.path} is missing; the first start makes it`)
  const name = location.kind === 'sqlite' ? location.path : 'PostgreSQL'
  try {
    const { tables, close } = await openForReading(config, readText)
    try {
      const isUsed = (await tables.keyValues.get(fingerprintName)) !== undefined
      if (isUsed && config.MASTER_KEY === undefined && readMasterKey(config.DATA_DIR) === undefined)
        return bad(
          `master.key is missing in ${config.DATA_DIR}: put it back from your backup, or set MASTER_KEY`,
        )
      return ok(`${name} has the tables of this version`)
    } finally {
      await close()
    }
  } catch (error) {
    return bad(reasonOf(error))
  }
}

/** Every file that the text engine may need. */
export function checkFonts(): Finding {
  const files = listFontFiles()
  const missing = files.filter(({ packageName, file }) => !existsSync(packageFile(packageName, file)))
  const [first] = missing
  if (first === undefined) return ok(`${files.length} files of fonts and emoji`)
  return bad(
    `${missing.length} of ${files.length} files are missing, ${first.packageName}/${first.file} among them: bun install`,
  )
}
