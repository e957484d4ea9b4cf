/** Pairs findings with locations of equal code in one file. This is a plain function; the import reads and writes. */

interface InLine {
  line: number | null;
}

// The table has a cell for each finding and location, so longer lists are not aligned.
const maxLength = 64;
// A pair more counts for more than all distances together.
const pairGain = 1e8;
const maxDistance = 1e6;

/**
 * Returns as many pairs as there can be in the order of both lists, which come in the order of their lines; among these
 * with the least sum of the distances between lines. Returns none for lists that are too long.
 */
export function alignLines<Finding extends InLine, Location extends InLine>(
  findings: readonly Finding[],
  locations: readonly Location[],
  may: (finding: Finding, location: Location) => boolean = () => true,
): [Finding, Location][] {
  if (findings.length > maxLength || locations.length > maxLength) return [];
  const width = locations.length + 1;
  // The best gain of the lists from each finding and location on.
  const best = new Float64Array((findings.length + 1) * width);
  const paired = new Uint8Array(best.length);
  for (const [i, finding] of [...findings.entries()].reverse()) {
    for (const [j, location] of [...locations.entries()].reverse()) {
      const at = i * width + j;
      const skipped = Math.max(best[at + 1] ?? 0, best[at + width] ?? 0);
      const gain = may(finding, location) ? gainOf(finding, location) + (best[at + width + 1] ?? 0) : -1;
      best[at] = Math.max(gain, skipped);
      paired[at] = gain >= skipped ? 1 : 0;
    }
  }
  const pairs: [Finding, Location][] = [];
  for (let i = 0, j = 0; i < findings.length && j < locations.length; ) {
    const at = i * width + j;
    const [finding, location] = [findings[i], locations[j]];
    if (paired[at] === 1 && finding && location) {
      pairs.push([finding, location]);
      i++;
      j++;
    } else if (best[at] === best[at + 1]) j++;
    else i++;
  }
  return pairs;
}

function gainOf(finding: InLine, location: InLine): number {
  return pairGain - Math.min(Math.abs((finding.line ?? 0) - (location.line ?? 0)), maxDistance);
}
