/**
 * Findings on their way out of the parser's thread, transferred without a copy. Keys and digests are columns, which an
 * import reads completely. The rest is in chunks of some hundred findings, of which it reads only new and changed ones,
 * so the findings of a large report are never all objects in the importing process.
 *
 * A chunk is the text of all its strings one after another, their lengths, and for each finding a row of numbers: a
 * string is the index of its length. Findings come sorted, so a string that the previous finding has too is not
 * repeated.
 */

export interface PackedFindings {
  /** 16 bytes per finding, in order of ordinals. */
  keys: Uint8Array;
  digests: BigInt64Array;
  /** The kinds as indices into `kinds`. */
  kinds: Uint8Array;
  chunks: PackedChunk[];
  /** The category of the run, as the report says it. */
  category: string;
  /** The ordinal of the first finding. Ordinals continue from run to run. */
  first: number;
  suppressed: number;
  /** True if a suppression ends at some time, so that a later run of the same code may show something else. */
  suppressionEnds: boolean;
}

export interface PackedChunk {
  rows: Int32Array;
  lengths: Uint32Array;
  text: Uint8Array;
  /** True if the text is UTF-16, because it contains half a character, which UTF-8 cannot encode. */
  isWide: boolean;
}

export const kinds = ['package', 'secret', 'code'] as const;

// A chunk is large enough that its buffers cost little, and small enough that one changed finding does too.
export const chunkSize = 512;

// The positions of the numbers in a row. A text takes one position, and a list two: its first string and its length.
export const positions = {
  ...{ flags: 0, group: 1, line: 2, location: 3, identity: 4, purl: 5, version: 6, ruleKey: 7, codeKey: 8 },
  ...{
    fingerprintKey: 9,
    fingerprintScheme: 10,
    type: 11,
    severity: 12,
    title: 13,
    description: 14,
    rule: 15,
  },
  ...{ cvssScore: 16, cvssVector: 17, path: 18, committedAt: 19, artifactType: 20, artifactName: 21 },
  ...{ artifactPurl: 22, artifactDigest: 23, reason: 24, expiresAt: 25, evidence: 26, help: 27 },
  ...{ advisories: 28, relatedAdvisories: 30, fixedVersions: 32, cwes: 34, links: 36 },
} as const;
export const rowSize = 38;

export const flags = {
  suppressed: 1,
  verified: 2,
  exploitable: 4,
  /** A suppression in a file; one in the source is only a flag. */
  hasSuppression: 8,
  pathIsTarget: 16,
} as const;

export const none = -1;

/** Returns the buffers to transfer with the message that contains them. */
export function buffersOf({ keys, digests, kinds: numbers, chunks }: PackedFindings): ArrayBuffer[] {
  const arrays = [
    keys,
    digests,
    numbers,
    ...chunks.flatMap(({ rows, lengths, text }) => [rows, lengths, text]),
  ];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}
