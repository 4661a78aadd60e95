/** Whether this program was made by `bun build --compile`: Bun mounts what is inside under one of these names. */
export const isExecutable = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')
