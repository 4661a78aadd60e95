export const shells = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof shells)[number]

export function isShell(name: string | undefined): name is Shell {
  return shells.some((shell) => shell === name)
}

/** A script for each shell. It marks every word, so that empty ones and options arrive as they are. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_mintmark() {
  local IFS=$'\\n'
  local word="\${COMP_WORDS[COMP_CWORD]}"
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word")
  COMPREPLY=($("\${COMP_WORDS[0]}" completion --words "\${typed[@]/#/.}" 2>/dev/null))
}
complete -o default -F _mintmark mintmark
`,
  zsh: `#compdef mintmark
local typed=("\${(@)words[2,CURRENT]}")
local found=("\${(@f)$("\${words[1]}" completion --words ".\${(@)^typed}" 2>/dev/null)}")
found=(\${found:#})
if (( $#found )); then compadd -- "\${found[@]}"; else _files; fi
`,
  fish: `function __mintmark_complete
  set -l typed (commandline -opc)[2..-1] (commandline -ct | string collect --allow-empty)
  mintmark completion --words .$typed 2>/dev/null
end
complete -c mintmark -n 'test (count (__mintmark_complete)) -gt 0' -f
complete -c mintmark -a '(__mintmark_complete)'
`,
}
