/**
 * Writes a VEX in CycloneDX 1.6: a BOM of the packages that have statements, and the analyses of their vulnerabilities.
 */
import {
  distinct,
  reasonOf,
  type Statement,
  type VexDocument,
  withoutContradictions,
} from './vex-document.ts';

export function cycloneDxVex(document: VexDocument): object {
  // A vulnerability of this format names packages, and not the repository that has them.
  const statements = withoutContradictions(document.statements, () => '');
  const purls = [...new Set(statements.flatMap(({ parts }) => parts))].sort();
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: document.version,
    metadata: {
      timestamp: document.at.toISOString(),
      tools: { components: [{ type: 'application', name: 'Merlon' }] },
      component: { type: 'application', 'bom-ref': document.id, name: document.title },
    },
    components: purls.map((purl) => ({ type: 'library', 'bom-ref': purl, ...nameOf(purl), purl })),
    vulnerabilities: distinct(statements.map(vulnerabilityItem)),
  };
}

function vulnerabilityItem(statement: Statement): object {
  const { advisory, aliases, title, at, parts } = statement;
  const detail = reasonOf(statement);
  return {
    id: advisory,
    ...(aliases.length === 0
      ? {}
      : { references: aliases.map((id) => ({ id, source: { name: id.split('-', 1)[0] ?? '' } })) }),
    ...(title === '' ? {} : { description: title }),
    affects: parts.map((ref) => ({ ref })),
    analysis: {
      state: stateOf(statement),
      ...(detail === null ? {} : { detail }),
      firstIssued: at.toISOString(),
      lastUpdated: at.toISOString(),
    },
  };
}

function stateOf({ status, isFalsePositive }: Statement): string {
  if (status === 'affected') return 'exploitable';
  if (status === 'under_investigation') return 'in_triage';
  return isFalsePositive ? 'false_positive' : 'not_affected';
}

function nameOf(purl: string): { name: string; version?: string } {
  const [, path = purl, version] = /^pkg:[^/]+\/([^@?#]+)(?:@([^?#]+))?/.exec(purl) ?? [];
  const decode = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  return { name: decode(path), ...(version === undefined ? {} : { version: decode(version) }) };
}
