/** The process that checks a font has this word on the command line of an executable. */
export const fontProcessWord = 'check-font'

/** The first byte of what that process answers; the font, or the reason in UTF-8, follows. */
export const fontReply = { kept: 1, refused: 2 } as const

/** Before the font, in bytes: the kind of the answer, then the SHA-256 of what follows. */
export const fontReplyHeadBytes = 33
