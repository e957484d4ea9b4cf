/**
 * Published advisories of libraries, and a function that finds those of a package version.
 *
 * The rows are in one table per ecosystem (`npm-advisories.ts` and so on). They are public facts as the advisories
 * state them, and are independent of the company and the time of the demo.
 */
import { goAdvisories } from './go-advisories.ts';
import { mavenAdvisories } from './maven-advisories.ts';
import { npmAdvisories } from './npm-advisories.ts';
import { pythonAdvisories } from './python-advisories.ts';
import { listCell, optionalCell, readTable } from './table.ts';
import { fixOfRange, isInRange } from './version.ts';

export type Ecosystem = 'npm' | 'pom' | 'gomod' | 'pip';
const purlTypes: Record<Ecosystem, string> = { npm: 'npm', pom: 'maven', gomod: 'golang', pip: 'pypi' };

export type TrivySeverity = 'UNKNOWN' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

export interface Advisory {
  id: string;
  ghsa: string | null;
  package: string;
  severity: TrivySeverity;
  score: number;
  /** CVSS 3.1, with its prefix. */
  vector: string;
  cwe: string;
  title: string;
  fixedVersions: string[];
}

interface AdvisoryRow extends Advisory {
  ranges: string[];
}

const columns = ['package', 'id', 'ghsa', 'affected', 'severity', 'cvss', 'cwe', 'title'] as const;

const byEcosystem: Record<Ecosystem, Map<string, AdvisoryRow[]>> = {
  npm: read(npmAdvisories),
  pom: read(mavenAdvisories),
  gomod: read(goAdvisories),
  pip: read(pythonAdvisories),
};

/** The advisories that hold for one version of one package, in the order of the table. */
export function findAdvisories(ecosystem: Ecosystem, packageName: string, version: string): Advisory[] {
  const rows = byEcosystem[ecosystem].get(packageName) ?? [];
  return rows.filter((row) => row.ranges.some((range) => isInRange(purlTypes[ecosystem], version, range)));
}

function read(table: string): Map<string, AdvisoryRow[]> {
  const rows = readTable(columns, table).map((row): AdvisoryRow => {
    const [score, vector] = row.cvss.split(' ');
    const ranges = listCell(row.affected);
    return {
      id: row.id,
      ghsa: optionalCell(row.ghsa),
      package: row.package,
      severity: row.severity as TrivySeverity,
      score: Number(score),
      vector: `CVSS:3.1/${vector}`,
      cwe: row.cwe,
      title: row.title,
      ranges,
      fixedVersions: ranges.map(fixOfRange).filter((version) => version !== null),
    };
  });
  return Map.groupBy(rows, (row) => row.package);
}
