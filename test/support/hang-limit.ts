/** Ends tests that hang. A test on a slow, busy machine needs less than a tenth of it, so it decides no other outcome. */
export const hangMsMax = 600_000
