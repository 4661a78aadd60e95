import { FontRefused } from '../text/brand-fonts/font-refused.ts'
import { FontNotChecked, readFont } from '../text/brand-fonts/read-font.ts'
import type { UploadReaders } from './read-uploads.ts'

/** What makes uploads safe before anything else sees them. */
export const uploadReaders: UploadReaders = {
  logo: async () => unread,
  font: (bytes) =>
    readFont(bytes).catch((error: unknown) => {
      if (error instanceof FontRefused) return { refused: error.message }
      if (error instanceof FontNotChecked) return busy
      throw error
    }),
  picture: async () => unread,
}

const unread = { refused: 'cannot be read by this version' }
const busy = { refused: 'could not be checked now, because the server is busy: save it again' }
