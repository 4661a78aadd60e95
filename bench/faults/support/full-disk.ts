import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultContext, NotPossibleHere } from '../context.ts'

/** A file system of its own, so small that it can be filled. It needs the right to mount. */
export function mountSmallDisk(context: FaultContext, sizeMb: number) {
  const directory = context.directory()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'mintmark-faults', directory])
  if (mounted.status !== 0) throw new NotPossibleHere('this machine lets us mount no file system')
  const unmount = () => void spawnSync('umount', ['-l', directory])
  process.once('exit', unmount)
  context.defer(() => {
    process.off('exit', unmount)
    unmount()
  })
  const filler = join(directory, 'filler')
  return {
    directory,
    /** Takes every byte that is left. */
    fill() {
      const file = openSync(filler, 'a')
      for (const bytes of [1 << 16, 1 << 12, 1]) writeUntilFull(file, Buffer.alloc(bytes))
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
  }
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch {
    // Full.
  }
}
