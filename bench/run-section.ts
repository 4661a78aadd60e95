import { sections } from './sections.ts'

/** The process of one section: tells the one that started it what it found. */
const [name = ''] = process.argv.slice(2)
const rows = await sections[name]?.()
process.send?.(rows, () => process.exit(0))
