/**
 * Why a finding was taken for a vulnerability that was there: the rungs of the ladder of evidence, best first.
 * Stored with each sighting and shown as "why matched". The position is the stored number.
 */
export const rungs = [
  'new', // nothing matched: a new vulnerability
  'same-finding', // written by nothing: kept for the numbers of those below
  'advisory-and-package',
  'secret', // keyed hash of the secret
  'secret-masked', // rule, path and masked line
  'fingerprint', // one that the tool promises to be stable
  'code', // same rule, path and normalised code
  'nearest-line', // same rule and file, nearest within 50 lines
  'renamed-file', // same rule and code, exactly one candidate
  'secret-place', // a masked and a bare report of a secret on the same line of the same file
  'pinned', // a person has split it off, and it stays so
] as const;
export type Rung = Exclude<(typeof rungs)[number], 'same-finding'>;

/** The rungs that a caller may meet. */
export const shownRungs: readonly Rung[] = rungs.filter((rung) => rung !== 'same-finding');

export function rungNumber(rung: Rung): number {
  return rungs.indexOf(rung);
}
