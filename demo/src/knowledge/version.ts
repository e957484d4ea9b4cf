/** The ranges of the demo's tables, such as `<4.17.21` or `>=5.3.0 <5.3.18`. */
import { compareVersions } from '@merlon/server/src/domain/versions.ts';

/** True if a version is in a range such as `<4.17.21` or `>=5.3.0 <5.3.18`. All conditions must hold. */
export function isInRange(purlType: string, version: string, range: string): boolean {
  return range.split(' ').every((condition) => {
    const match = /^(>=|<=|<)(.+)$/.exec(condition);
    if (match === null) throw new Error(`not a range: ${range}`);
    const order = compareVersions(purlType, version, match[2] ?? '');
    if (match[1] === '>=') return order >= 0;
    return match[1] === '<=' ? order <= 0 : order < 0;
  });
}

/** The fixed version at the end of the range, or null if the range has no fix (`<=`). */
export function fixOfRange(range: string): string | null {
  return /(?:^| )<([^=\s]+)$/.exec(range)?.[1] ?? null;
}
