import manifest from '../package.json' with { type: 'json' }

/** The version of this program. Answers of another version are never taken from a cache. */
export const version: string = manifest.version
