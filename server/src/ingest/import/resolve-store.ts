/**
 * SQL of resolving: it reads known vulnerabilities by identity, known locations, and candidates for the match rules.
 */
import type { Tx } from '../../db/database.ts';
import { rowsByKey } from '../../db/planner-hints.ts';
import {
  firstIdSince,
  type LocationId,
  type ReferenceId,
  type RepositoryId,
  type SeriesId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import { sqlStatusIn } from '../../domain/packed-state.ts';
import { dayMs } from '../../domain/time.ts';
import { undoableMs } from '../../vulnerabilities/undo-snapshot.ts';
import type { ImportContext } from './import-context.ts';
import type { CodeFinding, KnownLocation } from './match-code.ts';
import type { RuleInFile } from './moved-folder.ts';

/** Returns identity → vulnerability id for the identities that the repository knows. */
export async function findByIdentity(
  tx: Tx,
  repositoryId: RepositoryId,
  identities: string[],
): Promise<Map<string, VulnerabilityId>> {
  const rows = await tx.query<{ identity: string; id: VulnerabilityId }>(
    `select identity, id from vulnerability
      where tenant_id = $1 and repository_id = $2 and identity = any($3::uuid[])
     union all
     select identity, vulnerability_id from vulnerability_identity
      where tenant_id = $1 and repository_id = $2 and identity = any($3::uuid[])`,
    [tx.tenantId, repositoryId, identities],
  );
  return new Map(rows.map((row) => [row.identity, row.id]));
}

/** Returns identity → vulnerability id for the vulnerabilities that people have split off in the repository. */
export async function listPinned(tx: Tx, repositoryId: RepositoryId): Promise<Map<string, string>> {
  const rows = await tx.query<{ identity: string; vulnerability_id: VulnerabilityId }>(
    `select identity, vulnerability_id from vulnerability_identity
      where tenant_id = $1 and repository_id = $2 and pinned`,
    [tx.tenantId, repositoryId],
  );
  return new Map(rows.map((row) => [row.identity, row.vulnerability_id]));
}

/**
 * Returns those of the vulnerabilities that have no decision, no approved exception, no snooze, and none that an undo
 * would restore.
 */
export async function findUndecided(tx: Tx, vulnerabilityIds: VulnerabilityId[]): Promise<Set<string>> {
  const since = new Date(Date.now() - undoableMs);
  // An entry gets its id when it is written: at most minutes before its time, but long after it if the report is old.
  const firstEvent = firstIdSince(new Date(since.getTime() - dayMs));
  const rows = await tx.query<{ id: string }>(
    `select w.id from vulnerability w
      where w.tenant_id = $1 and w.id = any($2::uuid[])
        and (w.decided_by is null or ${sqlStatusIn('w.packed_state', 'open', 'fixed')})
        and not exists (
          select 1 from vulnerability_event e
           where e.tenant_id = $1 and e.vulnerability_id = w.id and e.kind = 'decision_removed' and e.at > $3
             and e.id >= $4)
        and not exists (
          select 1 from policy_violation v
            left join policy_exception o on o.tenant_id = $1 and o.violation_id = v.id and o.status = 'approved'
           where v.tenant_id = $1 and v.repository_id = w.repository_id and v.target_id = w.id
             and (o.id is not null or v.snoozed_until > now()
                  or ((v.snooze_undo->>'until')::timestamptz > now() and (v.snooze_undo->>'at')::timestamptz > $3)))`,
    [tx.tenantId, vulnerabilityIds, since, firstEvent],
  );
  return new Set(rows.map((row) => row.id));
}

/** The code of a location, with the fingerprint and the position by which it may be recognised. */
export interface KnownCode
  extends Pick<
    CodeFinding,
    'ruleKey' | 'fileKey' | 'line' | 'codeKey' | 'fingerprintKey' | 'fingerprintScheme'
  > {
  vulnerabilityId: VulnerabilityId;
  onDefault: boolean;
  /** The location is open, or it was when a person decided, approved an exception or snoozed the violation. */
  shown: boolean;
}

/**
 * Lists the code of these vulnerabilities on every reference, equal locations of other references than the default
 * once.
 */
export async function listCode(tx: Tx, vulnerabilityIds: VulnerabilityId[]): Promise<KnownCode[]> {
  return tx.query<KnownCode>(
    `select distinct l.vulnerability_id as "vulnerabilityId", f.is_default as "onDefault",
            l.fixed_at is null or coalesce(l.fixed_at > coalesce(v.decided_at, (
              select min(coalesce(o.reviewed_at, case when p.snoozed_until > now() then (p.snooze_undo->>'at')::timestamptz end))
                from policy_violation p
                left join policy_exception o on o.tenant_id = $1 and o.violation_id = p.id and o.status = 'approved'
               where p.tenant_id = $1 and p.repository_id = v.repository_id and p.target_id = v.id)), false) as shown,
            l.rule_key as "ruleKey",
            l.file_key as "fileKey", l.line, l.code_key as "codeKey", l.fingerprint_key as "fingerprintKey",
            l.fingerprint_scheme as "fingerprintScheme"
       from vulnerability_location l
       join reference f on f.tenant_id = $1 and f.id = l.reference_id
       join vulnerability v on v.tenant_id = $1 and v.id = l.vulnerability_id
      where l.tenant_id = $1 and l.vulnerability_id = any($2::uuid[])`,
    [tx.tenantId, vulnerabilityIds],
  );
}

export interface SecretLocation {
  vulnerability_id: VulnerabilityId;
  file_key: string;
  line: number | null;
  /** The series that asks sees the secret itself. */
  mine: boolean;
  /** The identities of the vulnerability, without those of a split. */
  identities: string[];
}

/** Lists the secrets that are open in these files of the reference. */
export async function listSecretLocations(
  tx: Tx,
  context: ImportContext,
  seriesId: SeriesId,
  fileKeys: string[],
): Promise<SecretLocation[]> {
  return tx.query<SecretLocation>(
    `select l.vulnerability_id, l.file_key, l.line,
            exists (select 1 from ${rowsByKey('location_observation g', 'l.id', {
              column: 'location_id',
              where: 'g.until_seq is null',
            })} where g.series_id = $4) as mine,
            array(select v.identity from vulnerability v
                   where v.tenant_id = $1 and v.id = l.vulnerability_id and v.identity <> v.id
                  union all
                  select i.identity from vulnerability_identity i
                   where i.tenant_id = $1 and i.vulnerability_id = l.vulnerability_id and not i.pinned)::text[] as identities
       from vulnerability_location l
      where l.tenant_id = $1 and l.repository_id = $2 and l.reference_id = $3 and l.file_key = any($5::uuid[])
        and l.fixed_at is null`,
    [tx.tenantId, context.repositoryId, context.reference.id, seriesId, fileKeys],
  );
}

interface AdoptedSecret {
  identity: string;
  vulnerability_id: VulnerabilityId;
  is_default: boolean;
  /** The key under which a series has shown a secret of the vulnerability. */
  key: string;
}

/**
 * Lists what series have shown of the vulnerabilities to which these identities lead, although their own identity is
 * another: secrets in two forms, and those that a person has merged.
 */
export async function listAdoptedSecrets(
  tx: Tx,
  repositoryId: RepositoryId,
  identities: string[],
): Promise<AdoptedSecret[]> {
  return tx.query<AdoptedSecret>(
    `select distinct i.identity, i.vulnerability_id, f.is_default, o.key
       from vulnerability_identity i
       join vulnerability v on v.tenant_id = $1 and v.id = i.vulnerability_id and v.identity is distinct from i.identity
       join vulnerability_location l on l.tenant_id = $1 and l.vulnerability_id = i.vulnerability_id
       join reference f on f.tenant_id = $1 and f.id = l.reference_id
       join location_observation o on o.tenant_id = $1 and o.location_id = l.id
      where i.tenant_id = $1 and i.repository_id = $2 and i.identity = any($3::uuid[]) and not i.pinned`,
    [tx.tenantId, repositoryId, identities],
  );
}

/** Returns `vulnerability location-key` → location id for the locations on one reference, including closed ones. */
export async function findLocations(
  tx: Tx,
  referenceId: ReferenceId,
  vulnerabilityIds: VulnerabilityId[],
): Promise<Map<string, LocationId>> {
  if (vulnerabilityIds.length === 0) return new Map();
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId; location_key: string; id: LocationId }>(
    `select vulnerability_id, location_key, id from vulnerability_location
      where tenant_id = $1 and reference_id = $2 and vulnerability_id = any($3::uuid[])`,
    [tx.tenantId, referenceId, vulnerabilityIds],
  );
  return new Map(rows.map((row) => [`${row.vulnerability_id} ${row.location_key}`, row.id]));
}

/** True if a finding in code may match a location of the repository. Those of secrets have a key of their file too. */
export async function hasLocationsInCode(tx: Tx, repositoryId: RepositoryId): Promise<boolean> {
  const [row] = await tx.query(
    `select 1 from vulnerability_location
      where tenant_id = $1 and repository_id = $2 and file_key is not null limit 1`,
    [tx.tenantId, repositoryId],
  );
  return row !== undefined;
}

/**
 * Lists every location of the repository that shares a fingerprint, the code or the file with one of the findings. The
 * branches and pull requests that nothing compares with this reference have the same location many times, which is one.
 */
export async function listKnownLocations(
  tx: Tx,
  context: ImportContext,
  findings: CodeFinding[],
): Promise<KnownLocation[]> {
  const distinct = (values: (string | null)[]): string[] => [
    ...new Set(values.filter((value) => value !== null)),
  ];
  const columns = `id, vulnerability_id, reference_id, fixed_at, vulnerable_at, line, file_key, code_key,
    fingerprint_key, fingerprint_scheme`;
  const isNone = (column: string, keys: string) => `(${column} is null or ${column} <> all(${keys}::uuid[]))`;
  // Three index scans and one join with the few references keep the plan safe from the wrong statistics of a new table.
  const rows = await tx.query<{
    id: LocationId;
    vulnerability_id: VulnerabilityId;
    here: boolean;
    is_default: boolean;
    live: boolean;
    line: number | null;
    file_key: string;
    code_key: string | null;
    fingerprint_key: string | null;
    fingerprint_scheme: string | null;
  }>(
    `select max(l.id::text)::uuid as id, l.vulnerability_id, l.here, l.is_default, l.live, l.line, l.file_key, l.code_key,
            l.fingerprint_key, l.fingerprint_scheme
       from (select c.*, c.fixed_at is null as live, c.reference_id = $6 as here, f.is_default,
                    case when c.reference_id = $6 or f.tracked or f.full_ref = b.base_ref then c.id end as compared_id
               from (select ${columns} from vulnerability_location
                      where tenant_id = $1 and repository_id = $2 and file_key = any($3::uuid[])
                     union all select ${columns} from vulnerability_location
                      where tenant_id = $1 and repository_id = $2 and code_key = any($4::uuid[]) and ${isNone('file_key', '$3')}
                     union all select ${columns} from vulnerability_location
                      where tenant_id = $1 and repository_id = $2 and fingerprint_key = any($5::uuid[])
                        and ${isNone('file_key', '$3')} and ${isNone('code_key', '$4')}) c
               join reference f on f.tenant_id = $1 and f.id = c.reference_id
               join reference b on b.tenant_id = $1 and b.id = $6) l
      group by l.compared_id, l.vulnerability_id, l.here, l.is_default, l.live, l.line, l.file_key, l.code_key,
               l.fingerprint_key, l.fingerprint_scheme
      order by not l.live, max(l.vulnerable_at) desc, max(l.id::text) collate "C" desc`,
    [
      tx.tenantId,
      context.repositoryId,
      distinct(findings.flatMap((finding) => [finding.fileKey, finding.fileKeyBefore])),
      distinct(findings.map((finding) => finding.codeKey)),
      distinct(findings.map((finding) => finding.fingerprintKey)),
      context.reference.id,
    ],
  );
  return rows.map((row) => ({
    locationId: row.id,
    vulnerabilityId: row.vulnerability_id,
    here: row.here,
    onDefault: row.is_default,
    live: row.live,
    line: row.line,
    fileKey: row.file_key,
    codeKey: row.code_key,
    fingerprintKey: row.fingerprint_key,
    fingerprintScheme: row.fingerprint_scheme,
  }));
}

/** Lists those of these locations that have one of these codes. */
export async function listPlacesOfCode(
  tx: Tx,
  repositoryId: RepositoryId,
  locationIds: LocationId[],
  codeKeys: string[],
): Promise<(Pick<KnownLocation, 'fileKey' | 'codeKey' | 'fingerprintKey'> & { id: LocationId })[]> {
  return tx.query(
    `select id, file_key as "fileKey", code_key as "codeKey", fingerprint_key as "fingerprintKey" from vulnerability_location
      where tenant_id = $1 and repository_id = $2 and id = any($3::uuid[]) and code_key = any($4::uuid[])`,
    [tx.tenantId, repositoryId, locationIds, codeKeys],
  );
}

/** Returns the lines of these locations. */
export async function listLines(tx: Tx, locationIds: LocationId[]): Promise<Map<LocationId, number | null>> {
  const rows = await tx.query<{ id: LocationId; line: number | null }>(
    'select id, line from vulnerability_location where tenant_id = $1 and id = any($2::uuid[])',
    [tx.tenantId, locationIds],
  );
  return new Map(rows.map(({ id, line }) => [id, line]));
}

/** Lists the rules in files of these locations, each once. Packages and secrets are left out. */
export async function listRulesInFiles(tx: Tx, locationIds: LocationId[]): Promise<RuleInFile[]> {
  return tx.query<RuleInFile>(
    `select distinct rule_key as "ruleKey", path from vulnerability_location
      where tenant_id = $1 and id = any($2::uuid[]) and rule_key is not null`,
    [tx.tenantId, locationIds],
  );
}

/** True if the series sees code in a file under a key that is not in this list. */
export async function seesOtherCode(tx: Tx, seriesId: SeriesId, keys: string[]): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select 1 from location_observation o
                      join vulnerability_location l on l.tenant_id = $1 and l.id = o.location_id and l.rule_key is not null
                     where o.tenant_id = $1 and o.series_id = $2 and o.until_seq is null
                       and not (o.key = any($3::uuid[]))) as found`,
    [tx.tenantId, seriesId, keys],
  );
  return row?.found ?? false;
}

/** Lists the current findings of the same tool and category on the default branch, as rules in files. */
export async function listRulesInFilesOfDefault(
  tx: Tx,
  repositoryId: RepositoryId,
  seriesId: SeriesId,
): Promise<RuleInFile[]> {
  return tx.query<RuleInFile>(
    `select distinct l.rule_key as "ruleKey", l.path
       from scan_series mine
       join scan_series s on s.tenant_id = $1 and s.repository_id = $2 and s.tool = mine.tool
        and s.category = mine.category and s.source = mine.source and s.retired_at is null
       join reference f on f.tenant_id = $1 and f.id = s.reference_id and f.is_default
       join location_observation o on o.tenant_id = $1 and o.series_id = s.id and o.until_seq is null
       join vulnerability_location l on l.tenant_id = $1 and l.id = o.location_id and l.rule_key is not null
      where mine.tenant_id = $1 and mine.id = $3`,
    [tx.tenantId, repositoryId, seriesId],
  );
}

/** Lists the jars with these advisories that the repository has now, on any reference. `package` has no version. */
export async function listJars(
  tx: Tx,
  repositoryId: RepositoryId,
  jars: { advisory: string }[],
): Promise<{ id: VulnerabilityId; advisory: string; package: string; purl: string }[]> {
  return tx.query(
    `select distinct v.id, v.advisory, v.package, a.purl
       from vulnerability v
       join vulnerability_location l on l.tenant_id = $1 and l.vulnerability_id = v.id and l.fixed_at is null
       join artifact a on a.tenant_id = $1 and a.id = l.artifact_id
      where v.tenant_id = $1 and v.repository_id = $2 and v.advisory = any($3::text[]) and v.package like 'pkg:maven/%'
        and a.purl like 'pkg:maven/%'`,
    [tx.tenantId, repositoryId, [...new Set(jars.map((jar) => jar.advisory))]],
  );
}
