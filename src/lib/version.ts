import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version

/** The runtime and its version, for example `Bun 1.4.5`. */
export const runtime: string = process.versions['bun']
  ? `Bun ${process.versions['bun']}`
  : process.versions['deno']
    ? `Deno ${process.versions['deno']}`
    : `Node ${process.version}`
