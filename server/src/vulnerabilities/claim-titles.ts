/**
 * Most vulnerabilities have one series, whose claim has their title. So a claim stores its title only if it is another one.
 * Null stands for the title of the vulnerability.
 */

/** SQL: the title of the claim. Both arguments are aliases of rows. */
export const sqlClaimTitle = (claim: string, vulnerability: string): string =>
  `coalesce(${claim}.title, ${vulnerability}.title)`;

/** SQL: the stored form of a claim's title. Both arguments are SQL of titles. */
export const sqlStoredTitle = (title: string, titleOfVulnerability: string): string =>
  `nullif(${title}, ${titleOfVulnerability})`;
