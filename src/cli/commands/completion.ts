import { Command } from 'commander'
import { candidates } from '../completion/candidates.ts'
import { completionScripts, isShell, shells } from '../completion/completion-scripts.ts'

/**
 * `completion bash`: prints what a shell reads to complete commands, options and their values. The script asks
 * `completion --words …` at each press of the key.
 *
 * @param program loads all commands that the words may name
 */
export function completionCommand(
  program: (words: readonly string[]) => Promise<Command>,
  print: (text: string) => void,
): Command {
  const command = new Command('completion')
    .description('print what lets a shell complete commands, options and values')
    .argument('[shell]', shells.join(', '))
    .option('--words <words...>', 'what is typed so far, for the script')
    .addHelpText('after', help)
  return command.action(async (shell: string | undefined) => {
    const { words } = command.opts<{ readonly words?: readonly string[] }>()
    if (words !== undefined) {
      // A word may be empty, and begins with a sign of its own, so that none is taken for an option of this command.
      const typed = words.map((word) => word.slice(1))
      const found = candidates(await program(typed), typed)
      if (found.length > 0) print(found.join('\n'))
      return
    }
    if (!isShell(shell)) throw new Error(`Name a shell: ${shells.join(', ')}.`)
    print(completionScripts[shell])
  })
}

const help = `
  bash  mintmark completion bash > ~/.local/share/bash-completion/completions/mintmark
  zsh   mintmark completion zsh > a folder of $fpath, as _mintmark
  fish  mintmark completion fish > ~/.config/fish/completions/mintmark.fish`
