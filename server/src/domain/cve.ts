/** The ids of CVEs, as the CVE program gives them. */

/** As a pattern of JSON Schema. */
export const cvePattern = '^CVE-[0-9]{4}-[0-9]{4,19}$';
const pattern = new RegExp(cvePattern);

/** True for a whole text that is the id of a CVE, in upper case. */
export function isCveId(text: string): boolean {
  return pattern.test(text);
}
