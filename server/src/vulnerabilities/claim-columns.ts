/**
 * The stored forms of a claim's title and of the versions that fix it. They are short, because there is a claim for
 * each series.
 */

/**
 * SQL: the title of the claim, which is stored only if it is not that of the vulnerability. Both arguments are aliases
 * of rows.
 */
export const sqlClaimTitle = (claim: string, vulnerability: string): string =>
  `coalesce(${claim}.title, ${vulnerability}.title)`;

/** SQL: the stored form of a claim's title. Both arguments are SQL of titles. */
export const sqlStoredTitle = (title: string, titleOfVulnerability: string): string =>
  `nullif(${title}, ${titleOfVulnerability})`;

/**
 * SQL: the versions of the claim with this alias as an array. They are stored as lines, because an array takes 20 bytes
 * more.
 */
export const sqlFixedVersions = (claim: string): string =>
  `coalesce(string_to_array(${claim}.fixed_versions, chr(10)), '{}')`;

/** SQL of an aggregate: the stored form of the texts of `version`, each once and sorted. */
export const sqlStoredVersions = (version: string): string =>
  `string_agg(distinct ${version} collate "C", chr(10) order by ${version} collate "C")`;

/** Returns the stored form of versions; null if there are none. */
export function storedVersions(versions: readonly string[]): string | null {
  return versions.length === 0 ? null : versions.map((version) => version.replaceAll('\n', ' ')).join('\n');
}
