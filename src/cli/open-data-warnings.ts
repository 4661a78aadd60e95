import { type DatabaseSettings, databaseLocation } from '../store/database-location.ts'
import { modeOpenToOthers } from '../store/private-files.ts'

/** One line for each place with keys, payments and client addresses that other users of the machine have rights to. */
export function openDataWarnings(settings: DatabaseSettings): readonly string[] {
  const location = databaseLocation(settings)
  if (location.kind === 'postgres') return []
  const places = location.setting === 'DATA_DIR' ? [settings.DATA_DIR] : [settings.DATA_DIR, location.path]
  return places.flatMap((path) => {
    const mode = modeOpenToOthers(path)
    if (mode === undefined) return []
    return [`Other users of this machine have rights to ${path} (mode ${mode}). Run: chmod -R go= '${path}'`]
  })
}
