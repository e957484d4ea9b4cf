/**
 * The rows of the yardstick: those that an import in November 2026 wrote for a report of `reports.ts` in a new
 * repository. They are deterministic, and in the order in which the import wrote them.
 */
import type { ReportKind } from '../reports.ts';

/** Returns the statement that creates the temporary table `yardstick_finding`, which `rowsOf` reads. */
export function sourceOf(kind: ReportKind, findings: number): string {
  return `create temp table yardstick_finding as ${kind === 'packages' ? packages(findings) : code(findings)}`;
}

const constant = (number: number): string => `'01a20aec-3915-795f-a81a-2ec757a4da0${number}'::uuid`;
const tenant = constant(1);
const repository = constant(2);
const reference = constant(3);
const series = constant(4);
const scan = constant(5);
const at = "timestamptz '2026-11-24 00:19:44.319Z'";

// Ids begin with their time; those of one millisecond are numbered. A finding has two: of its vulnerability and
// location.
const id = (number: string, salt: string): string =>
  `(lpad(to_hex(1795478400000 + (${number}) / 50), 12, '0') || '7c868092' || lpad(to_hex(${number}), 6, '0')
    || left(md5('${salt}' || (${number})), 6))::uuid`;
const digest = (text: string): string => `md5(${text})::uuid`;

// Findings are sorted by rule before they are written in slices of 4,000.
const packages = (findings: number): string => `
  select row_number() over (order by rule, n) as row_order, f.*, 'pkg:npm/' || name as package,
         'component-' || component || ': input of kind ' || option || ' is not checked before use' as title
    from (select n, advisory, advisory % 3000 as component, advisory % 977 as option,
                 'CVE-' || 2015 + advisory % 11 || '-' || 10000 + advisory as rule,
                 'package-' || advisory % 3000 || '-' || n / 15000 as name
            from (select n, n % 15000 as advisory from generate_series(0, ${findings - 1}) n) a) f`;

const code = (findings: number): string => `
  select row_number() over (order by 'rule-' || n % 300, n) as row_order, n, n % 300 as advisory, 'rule-' || n % 300 as rule,
         'src/module-' || n % 900 || '/file-' || n % 4000 || '.ts' as path,
         'A value of kind ' || n % 300 || ' reaches a query without a check' as title
    from generate_series(0, ${findings - 1}) n`;

interface TableRows {
  table: string;
  columns: string;
  /** SQL for the values of the columns, from a row `f` of `yardstick_finding`. */
  values: string;
  /** SQL that is read in place of `yardstick_finding`, if the table does not have one row for each finding. */
  from?: string;
}

const vulnerabilityId = id('2 * f.row_order', 'vulnerability');
const locationId = id('2 * f.row_order + 1', 'location');
const packageTitle = `md5(f.package || f.title)::uuid`;

/** Returns the nine tables for this kind of report, with their columns and values. */
export function rowsOf(kind: ReportKind): TableRows[] {
  const isPackages = kind === 'packages';
  const choose = (ofPackages: string, ofCode: string): string => (isPackages ? ofPackages : ofCode);
  const state = choose('(-24320 + 4096 * (f.n % 4))', '16896');
  const score = choose('4 + f.n % 6', 'null');
  const fix = `'2.' || f.n % 9 || '.0'`;
  const tables: TableRows[] = [
    {
      table: 'vulnerability',
      columns: `tenant_id, id, repository_id, identity, packed_state, cvss_score, introduced_at, vulnerable_at,
        primary_reference_id, primary_location_id, search_key, created_at, updated_at, title, rule, advisory, package,
        fix_version`,
      values: `${tenant}, ${vulnerabilityId}, ${repository},
        ${choose('sha256(f.n::text::bytea)', `uuid_send(${vulnerabilityId}) || decode(repeat('00', 16), 'hex')`)},
        ${state}, ${score}, ${at}, ${at}, ${reference}, ${locationId}, ${choose(packageTitle, digest('f.title'))},
        ${at}, ${at}, f.title, f.rule, ${choose(`f.rule, f.package, ${fix}`, 'null, null, null')}`,
    },
    {
      table: 'vulnerability_detail',
      columns: 'tenant_id, vulnerability_id, description, identifiers, cwes, links, cvss_vector',
      values: `${tenant}, ${vulnerabilityId}, ${choose(
        `repeat('A crafted value reaches component-' || component || ' through option ' || option || '. ', 4),
         array[f.rule], array['CWE-' || 20 + f.n % 400],
         array['https://advisories.example.com/cve-' || advisory, 'https://example.org/issues/' || advisory],
         'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'`,
        `'The value of field ' || f.n || e' reaches a query without a check.\\n\\nValues of kind ' || advisory
          || ' come from outside. Bind them as parameters of the query.', '{}', '{}', '{}', null`,
      )}`,
    },
    {
      table: 'vulnerability_reference',
      columns: `tenant_id, vulnerability_id, reference_id, repository_id, location_id, packed_state, live, on_default,
        introduced_at, first_seen_at, full_ref`,
      values: `${tenant}, ${vulnerabilityId}, ${reference}, ${repository}, ${locationId}, ${state}, true, true, ${at},
        ${at}, 'refs/heads/main'`,
    },
    {
      table: 'vulnerability_reporter',
      columns: `tenant_id, vulnerability_id, series_id, tool, live, severity, title, fixed_versions, cvss_score,
        suppression_overrides_policy, updated_at`,
      values: `${tenant}, ${vulnerabilityId}, ${series}, ${choose("'trivy'", "'semgrep'")}, true, 'high', f.title,
        ${choose(`array[${fix}]`, "'{}'")}, ${score}, true, ${at}`,
    },
    {
      table: 'vulnerability_location',
      columns: `tenant_id, id, repository_id, vulnerability_id, reference_id, artifact_id, location_key, line,
        vulnerable_at, path, rule_key, file_key, code_key, fingerprint_key, fingerprint_scheme`,
      values: `${tenant}, ${locationId}, ${repository}, ${vulnerabilityId}, ${reference},
        ${choose(id('f.row_order', 'artifact'), 'null')}, ${digest("'location ' || f.n")}, ${choose('null', '10 + f.n % 500')},
        ${at}, ${choose(
          "'services/service-' || f.n % 40 || '/package-lock.json', null, null, null, null, null",
          `f.path, ${digest('f.rule')}, ${digest('f.rule || f.path')}, ${digest("'code ' || f.n")},
           ${digest("'print ' || f.n")}, 'matchBasedId/v1'`,
        )}`,
    },
    {
      table: 'location_observation',
      columns: 'tenant_id, location_id, vulnerability_id, series_id, key, digest, since_seq, match_method',
      values: `${tenant}, ${locationId}, ${vulnerabilityId}, ${series}, ${digest("'key ' || f.n")},
        hashint8extended(f.n, 1), 1, 'new'`,
    },
    {
      table: 'vulnerability_event',
      columns: 'tenant_id, vulnerability_id, id, kind, at, scan_id',
      values: `${tenant}, ${vulnerabilityId}, ${id('f.row_order', 'event')}, 'opened', ${at}, ${scan}`,
    },
    {
      table: 'search_term',
      columns: 'tenant_id, term, search_key',
      values: `${tenant}, term, search_key`,
      from: `(select min(f.row_order) / 4000 as slice, term, search_key from yardstick_finding f
         cross join lateral (${choose(
           `select ${packageTitle} as search_key, unnest(array['npm/' || f.name, f.name, substr(f.name, 9),
              split_part(f.name, '-', 3), 'component-' || component, component::text, 'input', 'kind', option::text,
              'not', 'checked', 'before', 'use']) as term`,
           `select ${digest('f.title')} as search_key,
                   unnest(array['value', 'kind', advisory::text, 'reaches', 'query', 'without', 'check']) as term`,
         )}) t
         where length(term) > 2 group by term, search_key order by 1, term collate "C", search_key) f`,
    },
  ];
  if (isPackages) {
    tables.push({
      table: 'artifact',
      columns: 'tenant_id, id, key, type, name, purl, created_at',
      values: `${tenant}, ${id('f.row_order', 'artifact')}, ${digest("'artifact ' || f.n")}, 'package_version', f.name,
        f.package || '@1.' || f.n % 30 || '.' || f.n % 7, ${at}`,
    });
  } else {
    tables.push({
      table: 'vulnerability_evidence',
      columns: 'tenant_id, vulnerability_id, tool, on_default, content',
      values: `${tenant}, ${vulnerabilityId}, 'semgrep', true, convert_to('{"snippet":{"text":"query(input.field' || f.n
        || ')","firstLine":' || 10 + f.n % 500 || ',"markedFrom":' || 10 + f.n % 500 || ',"markedTo":' || 10 + f.n % 500
        || '}}', 'UTF8')`,
    });
  }
  return tables;
}
