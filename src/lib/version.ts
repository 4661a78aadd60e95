import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version

export const runtime: string = process.versions['bun']
  ? `Bun ${process.versions['bun']}`
  : process.versions['deno']
    ? `Deno ${process.versions['deno']}`
    : `Node ${process.version}`
