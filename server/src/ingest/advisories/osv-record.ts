/**
 * Reads a record of OSV into what is stored: the advisory, and what it says of each package. Packages are named as the
 * inventory names them. A field of the wrong type counts as missing, as in reports.
 */
import { createHash } from 'node:crypto';
import {
  type AffectedVersions,
  type RangeEvent,
  type RangeEventKind,
  rangeEventKinds,
} from '../../domain/affected-versions.ts';
import { isCveId } from '../../domain/cve.ts';
import { ofOsv } from '../../parsers/osv-scanner/ecosystems.ts';
import { advisoryPurl, isOfModule } from '../../parsers/reading/distributions.ts';
import {
  arrayAt,
  asRecord,
  asString,
  field,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../../parsers/reading/json.ts';
import { defaultLimits, maxAdvisories, ParseContext } from '../../parsers/reading/limits.ts';
import { packageOfName, plainVersion } from '../../parsers/reading/packages.ts';
import { safeLinks } from '../../parsers/reading/text.ts';
import { earliestTime, parsedTime, pastTime } from './record-time.ts';

export interface OsvRecord {
  id: string;
  /** Null if the record does not say it. */
  modifiedAt: Date | null;
  publishedAt: Date | null;
  /** Null if the advisory is not withdrawn, or not yet. */
  withdrawnAt: Date | null;
  /** Hex of SHA-256. */
  digest: string;
  /** The fields that `readOsvVulnerability` of the parser reads, without ranges. */
  content: JsonRecord;
  packages: OsvPackage[];
  /** The ecosystems that the record names. */
  ecosystems: string[];
  /**
   * Packages that are not matched: of an unknown release, of a module stream, those that are not affected, and those
   * without versions.
   */
  skipped: number;
}

export interface OsvPackage {
  purl: string;
  affected: AffectedVersions;
}

// A change of what is read from a record makes every stored one another one.
const readerVersion = 6;

const idPattern = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/;
// Longer texts are cut, as those of reports are.
const maxDetails = 64 * 1024;
// Ubuntu writes its label beside the scores of several versions of CVSS. Such a score has some hundred characters.
const maxScores = 20;
const maxScoreLength = 512;
// No version is longer; what is, would not be compared by its ecosystem's rules either.
const maxVersionLength = 256;

/**
 * Returns null for bytes that are no record of OSV, and `unclear` for a record that does not say clearly whether it is
 * withdrawn, or which versions it is about.
 */
export function readOsvRecord(bytes: Uint8Array, now: Date): OsvRecord | 'unclear' | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
  const record = asRecord(json);
  const id = stringAt(record, 'id');
  if (record === null || id === null || !idPattern.test(id)) return null;
  const withdrawal = withdrawalOf(record);
  if (withdrawal === 'unclear') return 'unclear';
  const isPending = withdrawal !== null && withdrawal > now;
  const withdrawnAt = isPending ? null : withdrawal;
  const { packages, skipped, ecosystems, areVersionsReadable } = packagesOf(record);
  // The packages of a withdrawn record are not stored.
  if (withdrawnAt === null && !areVersionsReadable) return 'unclear';
  return {
    id,
    modifiedAt: pastTime(stringAt(record, 'modified'), now),
    publishedAt: pastTime(stringAt(record, 'published'), now),
    withdrawnAt,
    // The same record is another one as soon as it is withdrawn.
    digest: createHash('sha256')
      .update(`${readerVersion}${isPending ? ' pending' : ''}\n`)
      .update(bytes)
      .digest('hex'),
    content: contentOf(record),
    packages,
    ecosystems,
    skipped,
  };
}

/** Returns null if the record names no time of withdrawal. Go writes the year 1 for none. */
function withdrawalOf(record: JsonRecord): Date | 'unclear' | null {
  const written = field(record, 'withdrawn') ?? null;
  const time = typeof written === 'string' ? parsedTime(written) : null;
  if (written === null || time?.getUTCFullYear() === 1) return null;
  return time === null || time < earliestTime ? 'unclear' : time;
}

// A value that is stored as it is could have any depth, or keys that the database does not take.
function contentOf(record: JsonRecord): JsonRecord {
  const specific = recordAt(record, 'database_specific');
  const weaknesses = arrayAt(record, 'affected').flatMap((affected) =>
    arrayAt(recordAt(affected, 'database_specific'), 'cwes').flatMap((cwe) => stringAt(cwe, 'cweId') ?? []),
  );
  return {
    id: record.id,
    summary: stringAt(record, 'summary')?.slice(0, maxDetails) ?? null,
    details: stringAt(record, 'details')?.slice(0, maxDetails) ?? null,
    aliases: idsOf(stringsAt(record, 'aliases')),
    upstream: idsOf(stringsAt(record, 'upstream')),
    related: idsOf(stringsAt(record, 'related')),
    severity: arrayAt(record, 'severity')
      .slice(0, maxScores)
      .flatMap((severity) => {
        const score = stringAt(severity, 'score');
        return score === null || score.length > maxScoreLength ? [] : [{ score }];
      }),
    references: safeLinks(arrayAt(record, 'references').map((reference) => stringAt(reference, 'url'))).map(
      (url) => ({ url }),
    ),
    database_specific: {
      severity:
        (stringAt(specific, 'severity') || distributionSeverity(record))?.slice(0, maxScoreLength) ?? null,
      cwe_ids: idsOf(stringsAt(specific, 'cwe_ids')),
    },
    affected:
      weaknesses.length === 0
        ? []
        : [{ database_specific: { cwes: idsOf(weaknesses).map((cweId) => ({ cweId })) } }],
  };
}

/** The ids among the texts. Others, such as addresses, name no advisory, and an index takes no text of any length. */
function idsOf(texts: string[]): string[] {
  return [...new Set(texts)].filter((id) => idPattern.test(id)).slice(0, maxAdvisories);
}

/** The distribution's own label: Ubuntu writes it beside the scores, AlmaLinux and Rocky Linux before the summary. */
function distributionSeverity(record: JsonRecord): string | null {
  const label = arrayAt(record, 'severity').find((entry) => stringAt(entry, 'type') === 'Ubuntu');
  const isRebuild = /^(?:AL|RL|RX)SA-/.test(stringAt(record, 'id') ?? '');
  const [, word] = /^(Critical|Important|Moderate|Low): /.exec(stringAt(record, 'summary') ?? '') ?? [];
  return stringAt(label, 'score') ?? (isRebuild ? (word ?? null) : null);
}

function packagesOf(
  record: JsonRecord,
): Pick<OsvRecord, 'packages' | 'skipped' | 'ecosystems'> & { areVersionsReadable: boolean } {
  const context = new ParseContext(defaultLimits);
  const byPurl = new Map<string, { ranges: RangeEvent[][]; versions: Set<string> }>();
  const ecosystems = new Set<string>();
  let skipped = 0;
  let areVersionsReadable = true;
  const isOnlyBugFix = isBugFix(record);
  for (const affected of arrayAt(record, 'affected')) {
    const named = recordAt(affected, 'package');
    const ecosystem = stringAt(named, 'ecosystem') ?? '';
    const found = packageOfName(ofOsv(ecosystem), stringAt(named, 'name'), null, context);
    if (ecosystem === '' || found === null) continue;
    ecosystems.add(ecosystem.split(':', 1)[0] ?? '');
    const purl = advisoryPurl(found.purl, ecosystem);
    if (purl === null || isOnlyBugFix || !isMatched(affected)) {
      skipped++;
      continue;
    }
    const entry = byPurl.get(purl) ?? { ranges: [], versions: new Set() };
    byPurl.set(purl, entry);
    // A range of commits says nothing about versions.
    const written = arrayAt(affected, 'ranges').filter((range) => stringAt(range, 'type') !== 'GIT');
    const ranges = written
      .map((range) => arrayAt(range, 'events').flatMap((event) => eventsOf(asRecord(event), found.purl)))
      .filter((events) => events.length > 0);
    for (const range of ranges) entry.ranges.push(range);
    // Records of distributions list each version that a range has.
    const isListedTwice = purl !== found.purl && ranges.length > 0;
    const areRead = isListedTwice || arrayAt(affected, 'versions').every(isText);
    if (!areRead || !written.every(hasReadableEnds)) areVersionsReadable = false;
    for (const version of isListedTwice ? [] : stringsAt(affected, 'versions')) {
      if (version.length <= maxVersionLength) entry.versions.add(plainVersion(found.purl, version));
    }
  }
  const packages = [...byPurl]
    .map(([purl, { ranges, versions }]) => ({ purl, affected: { ranges, versions: [...versions] } }))
    .filter(({ affected }) => affected.ranges.length + affected.versions.length > 0);
  skipped += byPurl.size - packages.length;
  return { packages, skipped, ecosystems: [...ecosystems], areVersionsReadable };
}

/** A range without one of its ends would be another range. A number is no version, because 1.10 is read as 1.1. */
function hasReadableEnds(range: unknown): boolean {
  return arrayAt(range, 'events')
    .flatMap((event) => rangeEventKinds.map((kind) => field(event, kind) ?? null))
    .every((end) => end === null || end === 0 || (isText(end) && end.length <= maxVersionLength));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && asString(value) !== null;
}

/** AlmaLinux publishes bug fixes and enhancements in the same form. They are no advisories unless they name a CVE. */
function isBugFix(record: JsonRecord): boolean {
  const ids = ['aliases', 'upstream', 'related'].flatMap((key) => stringsAt(record, key));
  return /^AL[BE]A-/.test(stringAt(record, 'id') ?? '') && !ids.some(isCveId);
}

/**
 * False for what Debian calls unimportant, which is no security problem of its packages, and for packages of a module
 * stream.
 */
function isMatched(affected: unknown): boolean {
  if (stringAt(recordAt(affected, 'ecosystem_specific'), 'urgency') === 'unimportant') return false;
  const ends = arrayAt(affected, 'ranges').flatMap((range) => arrayAt(range, 'events'));
  return !ends.some((event) => rangeEventKinds.some((kind) => isOfModule(stringAt(event, kind) ?? '')));
}

function eventsOf(event: JsonRecord | null, purl: string): RangeEvent[] {
  return rangeEventKinds.flatMap((kind: RangeEventKind): RangeEvent[] => {
    const version = stringAt(event, kind);
    return version === null ? [] : [[kind, plainVersion(purl, version)]];
  });
}
