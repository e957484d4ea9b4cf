/**
 * The numbers of the advisory locks that concern the whole install. They are arbitrary, and the same in all versions.
 * They are in one list so that no two locks get the same number: a command that holds one would stop all that wait for
 * the other.
 */
export const advisoryLocks = {
  /** One migration at a time. */
  migrate: 7_263_041,
  /** One import of a feed at a time. */
  importFeed: 7_263_042,
  /** One isolation self-test at a time. */
  testIsolation: 7_263_043,
  /** Advisories change only while no import matches packages with them. */
  matchAdvisories: 7_263_044,
  /** One setup of the install at a time. */
  setUp: 7_263_045,
} as const;
