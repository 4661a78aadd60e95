import type { Command } from 'commander'
import { readTheme, themeFileText } from '../../assets/og/engine/read-theme.ts'
import { type ThemeName, themeNames } from '../../assets/og/themes.ts'
import { escapeControls, escapeControlsOfLines } from '../../lib/human-format.ts'
import { commandOf } from '../parameter-options.ts'
import { readNamed } from '../read-text.ts'
import { mistakeLines } from '../render/read-theme-file.ts'
import type { CommandContext } from '../runtime.ts'
import texts from './theme.json' with { type: 'json' }

export function themeCommand({ env, print, end }: CommandContext): Command {
  const making = commandOf('new', texts.new, { '--from': themeNames }).action(
    async ({ from = 'paper' }: { readonly from?: ThemeName }) =>
      print(await themeFileText(from, env['MINTMARK_URL'])),
  )
  const checking = commandOf('check', texts.check)
  checking.action(async (file: string) => {
    const { sheet, json } = checking.opts<{ readonly sheet?: string; readonly json?: true }>()
    if (sheet !== undefined && !/\.(?:html|png)$/i.test(sheet))
      throw new Error('--sheet must be a file that ends in .html or .png.')
    const read = readTheme(readNamed(file))
    const { mistakes, warnings } = { mistakes: [], warnings: [], ...read }
    if (json) print(escapeControlsOfLines(JSON.stringify({ file, mistakes, warnings }, null, 2)))
    else {
      const warned = mistakeLines(file, warnings).map((line) => `${line} (a warning)`)
      const fine = mistakes.length === 0 ? [`${file}: no mistakes`] : []
      print([...mistakeLines(file, mistakes), ...warned, ...fine].map(escapeControls).join('\n'))
    }
    if ('mistakes' in read) end(1)
    else if (sheet !== undefined) {
      const { writeThemeSheet } = await import('../render/theme-sheet.ts')
      await writeThemeSheet(sheet, read.theme)
    }
  })
  return commandOf('theme', texts.theme).addCommand(making).addCommand(checking)
}
