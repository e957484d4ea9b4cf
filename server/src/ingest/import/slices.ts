/**
 * The most findings, claims or observations that one statement of an import carries: a few megabytes, and enough that
 * the round trip does not matter. Tests lower it, so that small reports are written in many slices.
 */
export const slices = { size: 4_000 };
