import type { ChildProcess } from 'node:child_process'
import { startOwnProcess } from '../../lib/own-process.ts'
import { pictureProcessWord } from './picture-messages.ts'

export function startPictureProcess(): ChildProcess {
  return startOwnProcess(pictureProcessWord, new URL('./picture-process.ts', import.meta.url), engineSettings)
}

/** Without its optimising compiler Bun's engine holds less, and there is little of ours to run. */
const engineSettings = { BUN_JSC_useDFGJIT: '0' } as const
