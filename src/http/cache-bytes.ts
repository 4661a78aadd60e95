export const requestCacheBytes = {
  parsedRequests: 4 * 2 ** 20,
  /** Bodies as the runtime sends them without a copy: enough for the pictures that most requests are for. */
  sharedBodies: 4 * 2 ** 20,
  /** Pages and files for programs as they were written, and again as they are sent. */
  documents: 4 * 2 ** 20,
} as const
