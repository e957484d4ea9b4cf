/**
 * The JSON of `npm audit`: version 6, which lists advisories, and version 7 and later, which list packages. Reports of
 * pnpm and Yarn in the shape of version 6 are read here too where nothing in them says whose they are.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { DependencyChains } from './reading/dependency-chains.ts';
import {
  asRecord,
  asString,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import {
  isAdvisoryList,
  isPnpmList,
  type NpmAdvisory,
  npmFinding,
  npmReport,
  readAdvisory,
  readRowMap,
} from './reading/npm-advisories.ts';
import { vulnerableUntil } from './reading/ranges.ts';
import { type Report, ReportError, type ReportFinding } from './report.ts';

export const npmAudit: Format = {
  name: 'npm-audit',
  marks: ['auditReportVersion', 'vulnerabilities', 'metadata'],
  recognises,
  alsoReads: ({ json }) => isAdvisoryList(json),
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  return isPackageList(json) || (isAdvisoryList(json) && !isPnpmList(json)) || isFailure(json);
}

function isPackageList(json: unknown): boolean {
  return numberAt(json, 'auditReportVersion') !== null;
}

/** Without a lock file or the registry, npm writes an error instead of a report. */
function isFailure(json: unknown): boolean {
  const error = recordAt(json, 'error');
  return typeof field(error, 'code') === 'string' && typeof field(error, 'summary') === 'string';
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const list = isPackageList(json) ? 'vulnerabilities' : 'advisories';
  const rows = recordAt(json, list);
  if (rows === null) {
    throw new ReportError(
      'MALFORMED_REPORT',
      isFailure(json)
        ? 'The run of npm audit failed: the report has its error and no result.'
        : `The report of npm audit has no "${list}".`,
      { pointer: isFailure(json) ? '/error' : '' },
    );
  }
  const chains = list === 'vulnerabilities' ? chainsOf(rows) : null;
  const findings = readRowMap(
    rows,
    `/${list}`,
    (key, row, pointer) =>
      chains === null
        ? readAdvisory(key, row, pointer, context)
        : readPackage(key, row, pointer, chains, context),
    context,
  );
  return npmReport(npmAudit.name, { findings, metadata: field(json, 'metadata') }, context);
}

/**
 * Version 7: a row is a package. Its `via` holds its own advisories (objects) and the packages that make it vulnerable.
 */
function readPackage(
  key: string,
  row: JsonRecord,
  pointer: string,
  chains: DependencyChains,
  context: ParseContext,
): ReportFinding[] | null {
  const via = field(row, 'via');
  if (!Array.isArray(via)) return null;
  const findings: ReportFinding[] = [];
  const nodes = stringsAt(row, 'nodes').sort();
  const advisories = via.filter((cause) => asString(cause) === null).length;
  context.addLocations(advisories - 1, pointer);
  for (const [index, cause] of via.entries()) {
    if (asString(cause) !== null) continue;
    const number = stringAt(cause, 'source') ?? stringAt(cause, 'id');
    if (number === null && stringAt(cause, 'url') === null) return null;
    const advisory = asRecord(cause) ?? {};
    const range = stringAt(advisory, 'range') ?? stringAt(row, 'range') ?? '';
    const facts: NpmAdvisory = {
      number,
      github: null,
      cves: [],
      packageName: stringAt(advisory, 'name') ?? stringAt(row, 'name') ?? key,
      description: descriptionOf(range, nodes),
      fixedVersions: vulnerableUntil(range),
      references: '',
      remediation: fixOf(row),
      dependencyPaths: [chains.to(key)],
    };
    const finding = npmFinding(advisory, facts, null, `${pointer}/via/${index}`, context);
    if (finding === null) return null;
    findings.push(finding);
  }
  if (findings.length === 0) {
    context.warn(
      'Packages that are vulnerable only through others are counted and are no findings of their own.',
    );
  }
  return findings;
}

/** A row names the vulnerable packages that need it, and whether the project itself needs it. */
function chainsOf(rows: JsonRecord): DependencyChains {
  const edges = new Map<string, string[]>();
  const direct: string[] = [];
  for (const key of Object.keys(rows)) {
    const row = field(rows, key);
    if (field(row, 'isDirect') === true) direct.push(key);
    for (const dependent of stringsAt(row, 'effects')) {
      const known = edges.get(dependent);
      if (known === undefined) edges.set(dependent, [key]);
      else known.push(key);
    }
  }
  return new DependencyChains(edges, direct);
}

/** Version 7 has no text of the advisory. The description gives the vulnerable range and the installed paths. */
function descriptionOf(range: string, nodes: readonly string[]): string {
  const lines = range === '' ? [] : [`Vulnerable versions: ${range}`];
  const shown = nodes.slice(0, 20);
  if (shown.length > 0) lines.push(`Installed at: ${shown.join(', ')}${nodes.length > 20 ? ', …' : ''}`);
  return lines.join('\n');
}

/** The update that npm would make, of this package or of one that depends on it. */
function fixOf(row: JsonRecord): string | null {
  const fix = recordAt(row, 'fixAvailable');
  const name = stringAt(fix, 'name');
  const version = stringAt(fix, 'version');
  return name === null || version === null ? null : `Update ${name} to ${version}.`;
}
