/**
 * SARIF 2.1.0 has one run for each tool, written while it is read. A vulnerability of several tools is in the run of
 * the first of them by name. The rules follow the results, because they are known only then. The writer holds the rules
 * of a run, and at most one batch of its results.
 */
import { relativeUri } from '@merlon/terminal';
import type { ReportingDescriptor, Result } from 'sarif';
import { tenantReadTx } from '../../db/database.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { ItemWithoutReferences } from './item.ts';
import { RunPlan } from './run-plan.ts';
import { findFirstTool } from './store.ts';
import { type ExportWalk, readItemsWithoutReferences } from './walk.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export async function* sarifExport(walk: ExportWalk): AsyncGenerator<string> {
  yield `{"$schema":"${schema}","version":"2.1.0","runs":[`;
  const plan = new RunPlan();
  try {
    yield* planRuns(walk, plan);
    let runs = 0;
    for (const tool of plan.tools()) {
      let written = false;
      for await (const part of sarifRun(walk, tool, plan.idsOf(tool))) {
        yield written || runs === 0 ? part : `,${part}`;
        written = true;
      }
      if (written) runs++;
    }
  } finally {
    await plan.close();
  }
  yield ']}\n';
}

/** Yields a line end for each page, so that the client sees progress, and a client that has gone is detected. */
async function* planRuns(walk: ExportWalk, plan: RunPlan): AsyncGenerator<string> {
  const first = await tenantReadTx(walk.db, walk.tenantId, (tx) => findFirstTool(tx));
  for await (const keys of walk.keys(true)) {
    // A vulnerability without any reporter goes to the first tool.
    for (const { id, tool } of keys) await plan.add(id, tool ?? first ?? 'unnamed');
    yield '\n';
  }
  plan.seal();
}

/** Yields nothing if all vulnerabilities of the tool were merged meanwhile. */
async function* sarifRun(
  walk: ExportWalk,
  tool: string,
  batches: AsyncIterable<VulnerabilityId[]>,
): AsyncGenerator<string> {
  const rules = new Map<string, ReportingDescriptor>();
  let begun = false;
  for await (const items of itemsOf(walk, batches)) {
    if (items.length === 0) continue;
    for (const item of items) {
      const id = ruleIdOf(item);
      if (!rules.has(id)) rules.set(id, ruleOf(id, item));
    }
    yield `${begun ? ',' : '{"columnKind":"utf16CodeUnits","results":['}\n${items
      .map((item) => JSON.stringify(resultOf(item)))
      .join(',\n')}`;
    begun = true;
  }
  if (!begun) return;
  // The rules are written one by one, because a tool may have some ten thousand.
  yield `],\n"tool":{"driver":{"name":${JSON.stringify(tool)},"rules":[`;
  let first = true;
  for (const rule of rules.values()) {
    yield `${first ? '' : ','}\n${JSON.stringify(rule)}`;
    first = false;
  }
  yield ']}}}';
}

async function* itemsOf(
  walk: ExportWalk,
  batches: AsyncIterable<VulnerabilityId[]>,
): AsyncGenerator<ItemWithoutReferences[]> {
  for await (const ids of batches) yield* readItemsWithoutReferences(walk, ids);
}

function ruleIdOf(item: ItemWithoutReferences): string {
  return item.rule || item.identifiers[0] || 'unnamed';
}

function ruleOf(id: string, item: ItemWithoutReferences): ReportingDescriptor {
  const [helpUri] = item.links;
  return {
    id,
    // For code the title is that of the rule. For packages it names the package, which is close enough.
    shortDescription: { text: textOf(item.title) },
    ...(helpUri === undefined ? {} : { helpUri }),
    properties: { tags: ['security', ...item.cwes.map((cwe) => `external/cwe/${cwe.toLowerCase()}`)] },
  };
}

const levels: Record<Severity, Result.level> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  // A result without a `kind` is of the kind `fail`, and only results of other kinds have the level `none` (3.27.10).
  info: 'note',
  unknown: 'note',
};

// The bands of CVSS for each severity: a reader of SARIF must find the shown severity, whatever the score is.
const bands: Partial<Record<Severity, [number, number]>> = {
  critical: [9, 10],
  high: [7, 8.9],
  medium: [4, 6.9],
  low: [0.1, 3.9],
};

function securitySeverity(item: ItemWithoutReferences): string | null {
  const band = bands[item.severity as Severity];
  if (!band) return null;
  const { score } = item.cvss;
  return (score !== null && score >= band[0] && score <= band[1] ? score : band[0]).toFixed(1);
}

function resultOf(item: ItemWithoutReferences): Result {
  const { location } = item;
  const score = securitySeverity(item);
  return {
    ruleId: ruleIdOf(item),
    level: levels[item.severity as Severity],
    message: { text: textOf(item.title) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: relativeUri(location.path) },
          ...(location.line !== null && location.line > 0 ? { region: { startLine: location.line } } : {}),
        },
        ...(item.package === null ? {} : { logicalLocations: [{ fullyQualifiedName: item.package }] }),
      },
    ],
    partialFingerprints: { 'merlonVulnerability/v1': item.id },
    ...(item.status === 'fixed' ? { baselineState: 'absent' } : {}),
    ...(item.status === 'open' || item.status === 'fixed'
      ? {}
      : {
          suppressions: [
            {
              kind: 'external',
              status: 'accepted',
              justification: [item.status, item.resolution].filter((text) => text !== null).join(': '),
              ...(item.accepted_until === null ? {} : { properties: { expiration: item.accepted_until } }),
            },
          ],
        }),
    properties: {
      ...(score === null ? {} : { 'security-severity': score }),
      repository: item.repository.full_name,
      ref: location.reference.ref,
      severity: item.severity,
      type: item.type,
      status: item.status,
      identifiers: item.identifiers,
      cwe: item.cwes,
      fixVersion: item.fix_version,
      kev: item.kev,
      epss: item.epss,
      tools: item.tools.map(({ tool }) => tool),
    },
  };
}

/** Text without what SARIF reads as a link or a placeholder (3.11.5, 3.11.6). */
function textOf(text: string): string {
  return text.replaceAll('](', '] (').replace(/\{(\d+)\}/g, '{ $1 }');
}
