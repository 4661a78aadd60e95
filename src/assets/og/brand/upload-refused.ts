/** An uploaded file cannot be used; the message ends a sentence that begins with the field's name. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
}
