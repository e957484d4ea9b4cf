/**
 * The table of facts lists all facts that a condition may test, with type, meaning and column. The validator, the
 * compiler, the documentation and the console's editor read only this table.
 *
 * `sql` is an expression over the rows of `fact-sources.ts`. A fact is unknown if its `sql` is null.
 */

import {
  severities,
  sources,
  sqlIsConfirmed,
  sqlIsTriaged,
  sqlSeverityRank,
  sqlSourceNumber,
  sqlStatusIn,
  sqlTypeNumber,
  types,
} from '../../domain/packed-state.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import { referenceTypes } from '../../domain/reference-name.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import { daySeconds, staleAfterDays } from '../../domain/time.ts';
import { sqlClaimCounts, sqlClaimReference } from '../../vulnerabilities/counting-claims.ts';
import { sqlAllIds, sqlRule } from '../../vulnerabilities/identifiers.ts';
import { languagesByType } from './manifest-kind.ts';

/** `severity` and `enum`: one of `values`. `days`: whole days. `texts`: a set of texts. `date`: YYYY-MM-DD. */
export type FactKind = 'severity' | 'enum' | 'text' | 'texts' | 'number' | 'days' | 'date' | 'boolean';

export interface Fact {
  name: string;
  targets: readonly TargetType[];
  kind: FactKind;
  /** The allowed values of `severity` and `enum`. */
  values?: readonly string[];
  /** `sql` gives the position in `values`, because it comes from a packed state; otherwise it gives the text. */
  packed?: true;
  meaning: string;
  sql: string;
  /** Compared without case. `sql` gives lower case: of all characters if we store a key for it, else of ASCII alone. */
  caseless?: 'ascii' | 'unicode';
  /**
   * `sql` gives the text in NFC, so the two spellings of a letter with an accent are equal. Keys of names are in NFC
   * too.
   */
  composed?: true;
}

/** The states of an analysis: up to date, or the reason why it is not. */
export const analysisReasons = ['current', 'never_scanned', 'stale'] as const;
const [current, neverScanned, stale] = analysisReasons;

/** The values of CISA, by rising impact; they sort as texts too. */
const technicalImpacts = ['partial', 'total'] as const;

export const assetTypes = ['container_image'] as const;
export type AssetType = (typeof assetTypes)[number];

const vulnerability: readonly TargetType[] = ['vulnerability'];
const packages: readonly TargetType[] = ['package', 'package_version'];
const onReferences: readonly TargetType[] = [
  'vulnerability',
  'package',
  'package_version',
  'manifest',
  'asset',
];
const aboutRepositories: readonly TargetType[] = ['analysis', 'provider', 'repository'];
const everything: readonly TargetType[] = [...onReferences, ...aboutRepositories];

function languageOf(column: string): string {
  const cases = Object.entries(languagesByType).map(
    ([type, language]) => `when '${type}' then '${language}'`,
  );
  return `case ${column} ${cases.join(' ')} end`;
}

/** Lower case of ASCII alone is the same in every database; other characters depend on the locale. */
function asciiLower(column: string): string {
  return `lower(${column} collate "C")`;
}

/** The last part of a package URL, decoded: `libstdc%2B%2B6` is `libstdc++6`. `%00` stays, as no text may hold it. */
function nameInPurl(column: string): string {
  const name = `regexp_replace(${column}, '^.*/', '')`;
  return `case when strpos(${column}, '%') = 0 then ${name} else (
            select convert_from(string_agg(case when m[1] is null then convert_to(m[2], 'UTF8')
                     else decode(m[1], 'hex') end, '' order by i), 'UTF8')
              from regexp_matches(${name}, '%(0[1-9A-F]|[1-9A-F][0-9A-F])|([^%]+|%)', 'gi') with ordinality x (m, i)) end`;
}

/** Whole days since a time, rounded down so that the fact changes once a day. */
function daysSince(column: string): string {
  return `floor(extract(epoch from ($now$::timestamptz - ${column})) / ${daySeconds})`;
}

/** SQL: the licenses of the version `n` in the usages of the reference `f`; if they name none, those of all reports. */
const licenses = `coalesce(nullif(case when i.has_other_licenses then array(select distinct l from manifest_package u
         cross join unnest(coalesce(u.licenses, n.first_licenses, n.licenses)) l
        where u.tenant_id = $1 and u.package_version_id = n.id and u.reference_id = f.id)
      else coalesce(n.first_licenses, n.licenses) end, '{}'), n.licenses)`;

/**
 * SQL: a tool has verified a rejected vulnerability. A rejection ends its confirmation, but policies that block apply
 * to it if the rejection does not override them.
 */
const isVerified = `(${sqlStatusIn('p.packed_state', 'rejected')} and exists (select 1 from vulnerability_reporter w ${sqlClaimReference('w')}
                 where w.tenant_id = $1 and w.vulnerability_id = v.id and ${sqlClaimCounts('w')} and w.verified))`;

export const facts: readonly Fact[] = [
  {
    name: 'severity',
    targets: vulnerability,
    kind: 'severity',
    values: severities,
    meaning: 'Severity of the vulnerability. Comparisons use its rank; unknown is the lowest.',
    packed: true,
    sql: sqlSeverityRank('p.packed_state'),
  },
  {
    name: 'type',
    targets: vulnerability,
    kind: 'enum',
    values: types,
    meaning: 'Type of the vulnerability.',
    packed: true,
    sql: sqlTypeNumber('p.packed_state'),
  },
  {
    name: 'source',
    targets: vulnerability,
    kind: 'enum',
    values: sources,
    meaning: 'Found in the current files, or only in the history of the commits.',
    packed: true,
    sql: sqlSourceNumber('p.packed_state'),
  },
  {
    name: 'confirmed',
    targets: vulnerability,
    kind: 'boolean',
    meaning: 'A person has confirmed it, or a tool has verified that the secret works.',
    sql: `(${sqlIsConfirmed('p.packed_state')} or ${isVerified})`,
  },
  {
    name: 'triaged',
    targets: vulnerability,
    kind: 'boolean',
    meaning: 'A person has decided about it.',
    sql: sqlIsTriaged('p.packed_state'),
  },
  {
    name: 'exploitable',
    targets: vulnerability,
    kind: 'boolean',
    meaning: 'It is known to be exploited, is a verified secret, or a tool says that it can be reached.',
    sql: '(v.exploitable_at is not null)',
  },
  {
    name: 'cvss_score',
    targets: vulnerability,
    kind: 'number',
    meaning: 'CVSS base score, 0 to 10; unknown if no tool gives one.',
    sql: 'v.cvss_score::text::numeric',
  },
  {
    name: 'epss_score',
    targets: vulnerability,
    kind: 'number',
    meaning: 'Highest EPSS score of its CVEs, 0 to 1; unknown if none has one.',
    sql: `(select max(e.score)::text::numeric from epss e where e.cve = any(${sqlAllIds('v')}))`,
  },
  {
    name: 'in_kev',
    targets: vulnerability,
    kind: 'boolean',
    meaning: "It is in CISA's catalogue of known exploited vulnerabilities (KEV).",
    sql: `exists (select 1 from kev k where k.cve = any(${sqlAllIds('v')}))`,
  },
  {
    name: 'kev_due_date',
    targets: vulnerability,
    kind: 'date',
    meaning: 'The earliest due date of its CVEs in that catalogue; unknown if none is in it.',
    sql: `(select min(k.due_on) from kev k where k.cve = any(${sqlAllIds('v')}))`,
  },
  {
    name: 'automatable',
    targets: vulnerability,
    kind: 'boolean',
    meaning: 'CISA says that the exploitation of one of its CVEs can be automated (SSVC).',
    sql: `exists (select 1 from ssvc c where c.automatable and c.cve = any(${sqlAllIds('v')}))`,
  },
  {
    name: 'technical_impact',
    targets: vulnerability,
    kind: 'enum',
    values: technicalImpacts,
    meaning: 'The control that an attacker gains, as CISA says (SSVC); total if one of its CVEs has it.',
    sql: `(select max(c.technical_impact) from ssvc c where c.cve = any(${sqlAllIds('v')}))`,
  },
  {
    name: 'fix_available',
    targets: vulnerability,
    kind: 'boolean',
    meaning: 'A tool names a version that fixes it.',
    sql: '(v.fix_version is not null)',
  },
  {
    name: 'age_days',
    targets: vulnerability,
    kind: 'days',
    meaning: 'Whole days since it was introduced.',
    sql: daysSince('v.introduced_at'),
  },
  {
    name: 'rule_id',
    targets: vulnerability,
    kind: 'text',
    meaning: 'Rule of the tool that found it, or the advisory as reported.',
    sql: sqlRule('v'),
  },
  {
    name: 'cwe',
    targets: vulnerability,
    kind: 'texts',
    meaning: 'Its weaknesses, such as CWE-79, in upper or lower case.',
    sql: `coalesce(string_to_array(${asciiLower('v.cwes')}, ' '), '{}')`,
    caseless: 'ascii',
  },
  {
    name: 'advisory_id',
    targets: vulnerability,
    kind: 'texts',
    meaning:
      'Its advisory and its other names, such as CVE-…, GHSA-… or license:GPL-3.0, in upper or lower case.',
    sql: `(select coalesce(array_agg(distinct ${asciiLower('w')}), '{}')
             from unnest(${sqlAllIds('v')}) w)`,
    caseless: 'ascii',
  },
  {
    name: 'path',
    targets: ['vulnerability', 'manifest'],
    kind: 'text',
    meaning:
      'File of one of its present locations on the reference; for a manifest, the path of the manifest.',
    sql: 'location.path',
    composed: true,
  },
  {
    name: 'package.purl',
    targets: vulnerability,
    kind: 'text',
    meaning: 'Package URL without version, such as pkg:npm/%40acme/kit; unknown if it is not in a package.',
    sql: 'v.package',
  },
  {
    name: 'package.name',
    targets: vulnerability,
    kind: 'text',
    meaning: 'Name of the package, without namespace.',
    sql: nameInPurl('v.package'),
  },
  {
    name: 'package.type',
    targets: vulnerability,
    kind: 'text',
    meaning: 'Type of the package URL, such as npm, maven or deb.',
    sql: "split_part(substr(v.package, 5), '/', 1)",
  },
  {
    name: 'reported_by',
    targets: vulnerability,
    kind: 'texts',
    meaning: 'Tools that report it now on an active reference, such as trivy and semgrep.',
    sql: `array(select w.tool from vulnerability_reporter w ${sqlClaimReference('w')}
                 where w.tenant_id = $1 and w.vulnerability_id = v.id and ${sqlClaimCounts('w')})`,
  },
  {
    name: 'purl',
    targets: packages,
    kind: 'text',
    meaning: 'Package URL without version, such as pkg:npm/%40acme/kit.',
    sql: 'g.purl',
  },
  {
    name: 'name',
    targets: packages,
    kind: 'text',
    meaning: 'Name of the package, without namespace.',
    sql: 'g.name',
  },
  {
    name: 'namespace',
    targets: packages,
    kind: 'text',
    meaning: 'Scope, group or vendor; unknown if it has none.',
    sql: 'g.namespace',
  },
  {
    name: 'package_type',
    targets: packages,
    kind: 'text',
    meaning: 'Type of the package URL, such as npm, maven or deb.',
    sql: 'g.package_type',
  },
  {
    name: 'language',
    targets: packages,
    kind: 'text',
    meaning: 'Language of the package; unknown for packages of an operating system.',
    sql: languageOf('g.package_type'),
  },
  {
    name: 'version',
    targets: ['package_version'],
    kind: 'text',
    meaning: 'The version as in the report; empty if the report has none.',
    sql: 'n.version',
  },
  {
    name: 'license',
    targets: ['package_version'],
    kind: 'texts',
    meaning:
      'SPDX ids, choices such as MIT OR Zlib, or other names: those in the reports of the reference; if they name none, those in any report. MIT AND Zlib is two licenses.',
    sql: licenses,
  },
  {
    name: 'manifest_type',
    targets: ['manifest'],
    kind: 'text',
    meaning: 'Name of the package manager, such as npm, yarn or gomod; or image, or sbom.',
    sql: 'coalesce(m.kind, m.type)',
  },
  {
    name: 'analysis_type',
    targets: ['analysis'],
    kind: 'enum',
    values: types,
    meaning: 'The type of vulnerabilities that the scans look for.',
    sql: 'y.type::text',
  },
  {
    name: 'days_since_last_scan',
    targets: ['analysis'],
    kind: 'days',
    meaning:
      'Whole days since the last scan of the default branch for this type; if there was none, since the repository was created. A partial report with a finding counts as a scan too.',
    sql: daysSince('coalesce(y.last_scanned_at, r.created_at)'),
  },
  {
    name: 'vulnerable_reason',
    targets: ['analysis'],
    kind: 'enum',
    values: analysisReasons,
    meaning: `Whether the scans are up to date: stale after ${staleAfterDays} days without a scan for this type.`,
    sql: `case when y.last_scanned_at is null then '${neverScanned}'
               when $now$::timestamptz - y.last_scanned_at >= interval '${staleAfterDays} days' then '${stale}' else '${current}' end`,
  },
  {
    name: 'provider',
    targets: ['provider'],
    kind: 'enum',
    values: repositorySources,
    meaning: 'The VCS that hosts the repository.',
    sql: 'r.source::text',
  },
  {
    name: 'setting',
    targets: ['provider'],
    kind: 'text',
    meaning: 'Name of the setting, as in the inventory file.',
    sql: 's.name',
  },
  {
    name: 'value',
    targets: ['provider'],
    kind: 'text',
    meaning: 'Value of the setting as text, such as true, 2 or enabled.',
    sql: 's.value',
  },
  {
    name: 'manual_override',
    targets: ['provider'],
    kind: 'boolean',
    meaning: 'A person has set the value by hand, instead of the provider.',
    sql: 's.manual_override',
  },
  {
    name: 'name',
    targets: ['asset'],
    kind: 'text',
    meaning: 'Name of the image with its registry, without tag and digest.',
    sql: 'o.name',
  },
  {
    name: 'asset_type',
    targets: ['asset'],
    kind: 'enum',
    values: assetTypes,
    meaning: 'Type of the asset.',
    sql: 'o.type::text',
  },
  {
    name: 'tag',
    targets: ['asset'],
    kind: 'texts',
    meaning: 'Tags of the image in its last scan on the reference.',
    sql: 'o.tags',
  },
  {
    name: 'reference_ref',
    targets: onReferences,
    kind: 'text',
    meaning: 'Short name of the branch or tag, such as main; full name of a pull request.',
    sql: `case when starts_with(f.full_ref, 'refs/heads/') then substr(f.full_ref, 12)
               when starts_with(f.full_ref, 'refs/tags/') then substr(f.full_ref, 11) else f.full_ref end`,
  },
  {
    name: 'reference_type',
    targets: onReferences,
    kind: 'enum',
    values: referenceTypes,
    meaning: 'Type of the reference: branch, tag or pull request.',
    sql: 'f.type::text',
  },
  {
    name: 'is_default_branch',
    targets: onReferences,
    kind: 'boolean',
    meaning: 'The reference is the default branch.',
    sql: 'f.is_default',
  },
  {
    name: 'environment_key',
    targets: onReferences,
    kind: 'text',
    meaning:
      'Environment where the reference is deployed, as a report says, in upper or lower case; otherwise unknown.',
    sql: 'f.environment_key',
    caseless: 'unicode',
  },
  {
    name: 'repository.full_name',
    targets: everything,
    kind: 'text',
    meaning: 'Organization and name of the repository, in upper or lower case.',
    sql: 'r.name_key',
    caseless: 'unicode',
  },
  {
    name: 'repository.is_private',
    targets: everything,
    kind: 'boolean',
    meaning: 'The repository is private.',
    sql: 'r.is_private',
  },
  {
    name: 'repository.is_archived',
    targets: everything,
    kind: 'boolean',
    meaning: 'The repository is archived.',
    sql: 'r.is_archived',
  },
  {
    name: 'repository.is_enabled',
    targets: everything,
    kind: 'boolean',
    meaning: 'The repository is enabled.',
    sql: 'r.is_enabled',
  },
  {
    name: 'exposed',
    targets: onReferences,
    kind: 'boolean',
    meaning:
      'An admin says that people outside the company can reach the software built from the repository, or the environment where the reference is deployed.',
    sql: '(r.is_exposed or coalesce(f.environment_key = any(r.exposed_environments), false))',
  },
  {
    name: 'exposed',
    targets: aboutRepositories,
    kind: 'boolean',
    meaning:
      'An admin says that people outside the company can reach the software built from the repository.',
    sql: 'r.is_exposed',
  },
  {
    name: 'repository.source',
    targets: everything,
    kind: 'enum',
    values: repositorySources,
    meaning: 'The VCS that hosts the repository.',
    sql: 'r.source::text',
  },
  {
    name: 'application',
    targets: everything,
    kind: 'texts',
    meaning: 'Applications that group the repository, in upper or lower case.',
    sql: 'r.applications',
    caseless: 'unicode',
  },
];

/** The facts about the tools that report a vulnerability on any reference. */
export const factsOfTools = ['reported_by'];

export function findFact(target: TargetType, name: string): Fact | undefined {
  return facts.find((fact) => fact.name === name && fact.targets.includes(target));
}

export function factsOf(target: TargetType): Fact[] {
  return facts.filter((fact) => fact.targets.includes(target));
}
