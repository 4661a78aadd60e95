/** Functions to call when all tests have run. */
export const atEnd: (() => void)[] = []
