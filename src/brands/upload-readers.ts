import type { UploadReaders } from './read-uploads.ts'

/** What makes uploads safe before anything else sees them. */
export const uploadReaders: UploadReaders = {
  logo: async () => unread,
  font: async () => unread,
  picture: async () => unread,
}

const unread = { refused: 'cannot be read by this version' }
