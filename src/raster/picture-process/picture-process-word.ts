/** The word on the command line of an executable that makes it the process that draws callers' pictures. */
export const pictureProcessWord = 'draw-pictures'
