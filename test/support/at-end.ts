/** What is to be done when all tests have run. */
export const atEnd: (() => void)[] = []
