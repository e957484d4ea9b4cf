/**
 * The match rules say why a finding was matched with a known vulnerability, the best evidence first. Each observation
 * stores one (domain `match_method`), and the API shows it as `match_method`.
 */
export const matchMethods = [
  'new', // nothing matched: a new vulnerability
  'advisory-and-package',
  'secret', // keyed hash of the secret
  'secret-masked', // rule, path and masked line
  'fingerprint', // one that the tool promises to be stable
  'code', // same rule, path and normalised code
  'nearest-line', // same rule and file, nearest within 50 lines, or neither has code or a fingerprint
  'renamed-file', // same rule and code, exactly one candidate
  'moved-folder', // as code or nearest-line, after most of what the report shows has moved to another folder
  'secret-location', // a masked and a bare report of a secret on the same line of the same file
  'same-result', // another location of a result that matched
  'pinned', // a person has split it off, and it stays so
] as const;
export type MatchMethod = (typeof matchMethods)[number];
