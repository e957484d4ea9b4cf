/**
 * `node benchmarks/verdict.ts [--data-dir DIR] [--workspace SLUG] [--vulnerabilities N] [--findings N] [--decisions
 * N]`: with fifty policies, measures the time from a decision at one server to the changed answer of the gate at
 * another, and the time of an import with the policies and without. Writes `results/verdict.json`.
 */

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printTable, say } from '../server/src/commands/output.ts';
import { formatId, type VulnerabilityId } from '../server/src/domain/ids.ts';
import { sqlEnforcementAtLeast } from '../server/src/domain/violation-state.ts';
import type { Tenant } from '../server/src/http/principal.ts';
import { type OpenDatabase, openConfigured } from '../server/src/open.ts';
import { countOf, createBenchPolicies, evaluateAllPolicies } from './evaluate-policies.ts';
import { latencyOf } from './http-client.ts';
import { importInProcess } from './import-in-process.ts';
import { benchConfig, readArguments } from './options.ts';
import { writeResult } from './results.ts';
import { round2 } from './row.ts';
import { startServer } from './serve.ts';
import { createAdmin } from './upload.ts';
import { asOwner, createEmptyWorkspace, ensureWorkspace } from './workspace.ts';

const values = readArguments({
  'data-dir': { type: 'string', default: 'data/bench' },
  workspace: { type: 'string', default: 'bench' },
  vulnerabilities: { type: 'string', default: '1000000' },
  findings: { type: 'string', default: '10000' },
  decisions: { type: 'string', default: '60' },
});
const dataDir = resolve(values['data-dir']);
const open = await openConfigured(benchConfig(dataDir), say);
try {
  const { workspace: slug } = values;
  const vulnerabilities = Number(values.vulnerabilities);
  const tenant = await ensureWorkspace(open, slug, { vulnerabilities, log: say });
  await evaluateAllPolicies(open, tenant);
  const decided = await measureDecisions(open, tenant, Number(values.decisions));
  say(`decision: p50 ${decided.answered.p50Ms} ms, p95 ${decided.answered.p95Ms} ms`);
  say(
    `decision at one server, new verdict at another: p50 ${decided.seen.p50Ms} ms, p95 ${decided.seen.p95Ms} ms (aim 2000)`,
  );
  say(`gate: p50 ${decided.gate.p50Ms} ms, p95 ${decided.gate.p95Ms} ms`);
  const imports = await measureImports(open, Number(values.findings));
  printTable(
    ['IMPORT', 'FINDINGS', 'ms WITHOUT', 'ms WITH', 'RATIO', 'VIOLATIONS'],
    imports.map((row) =>
      [row.kind, row.findings, row.withoutMs, row.withMs, row.ratio, row.violations].map(String),
    ),
  );
  writeResult('verdict', { decided, imports });
} finally {
  await open.close();
}

/** Lists vulnerabilities that block default branches, at most one for each repository. */
async function listBlocking(database: OpenDatabase, tenant: Tenant, limit: number) {
  return asOwner(database, async (client) => {
    const { rows } = await client.query<{ full_name: string; target_id: VulnerabilityId }>(
      `select distinct on (r.id) r.full_name, v.target_id from policy_violation v
         join repository r on r.tenant_id = $1 and r.id = v.repository_id
         join violation_reference m on m.tenant_id = $1 and m.violation_id = v.id
          and m.reference_id = r.default_reference_id and m.cleared_at is null
        where v.tenant_id = $1 and ${sqlEnforcementAtLeast('v.packed_state', 'block')} and v.resolved_at is null order by r.id, v.id limit $2`,
      [tenant.id, limit],
    );
    return rows;
  });
}

interface GateAnswer {
  verdict: string | null;
  summary: { blocking: number };
}

async function measureDecisions(database: OpenDatabase, tenant: Tenant, count: number) {
  const { slug } = tenant;
  const { key } = await createAdmin(database, tenant);
  const chosen = await listBlocking(database, tenant, count);
  const [decisionServer, gateServer] = await Promise.all([startServer(dataDir), startServer(dataDir)]);
  const headers = { authorization: `Bearer ${key}` };
  const gateTimes: number[] = [];
  const gate = async (repo: string): Promise<GateAnswer> => {
    const before = performance.now();
    const answer = await fetch(
      `${gateServer.url}/api/v1/${slug}/gate?repo=${encodeURIComponent(repo)}&ref=HEAD`,
      {
        headers,
      },
    );
    if (!answer.ok) throw new Error(await answer.text());
    const body = (await answer.json()) as GateAnswer;
    gateTimes.push(performance.now() - before);
    return body;
  };
  const answered: number[] = [];
  const seen: number[] = [];
  try {
    for (const { full_name: repo, target_id: id } of chosen) {
      const blockedBefore = (await gate(repo)).summary.blocking;
      const started = performance.now();
      const answer = await fetch(`${decisionServer.url}/manage/v1/${slug}/vulnerabilities/decisions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          action: 'accept',
          vulnerabilities: [{ id: formatId('vulnerability', id) }],
          reason: 'benchmark',
        }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      answered.push(performance.now() - started);
      while ((await gate(repo)).summary.blocking >= blockedBefore) await sleep(5);
      seen.push(performance.now() - started);
    }
  } finally {
    await Promise.all([decisionServer.stop(), gateServer.stop()]);
  }
  return {
    decisions: chosen.length,
    answered: latencyOf(answered),
    seen: latencyOf(seen),
    gate: latencyOf(gateTimes),
  };
}

interface ImportCost {
  kind: string;
  findings: number;
  withoutMs: number;
  withMs: number;
  ratio: number;
  violations: number;
}

/** Imports the same reports into two new workspaces, one of which has the policies. */
async function measureImports(database: OpenDatabase, findings: number): Promise<ImportCost[]> {
  const make = async (hasPolicies: boolean): Promise<Tenant> => {
    const tenant = await createEmptyWorkspace(database, 'verdict');
    if (hasPolicies) await createBenchPolicies(database, tenant);
    return tenant;
  };
  // The first import warms the disk cache.
  const { slug } = await make(false);
  await importInProcess(dataDir, 'packages', [{ slug, shape: { from: 0, to: 1_000, changed: 0 } }]);
  const [withoutPolicies, withPolicies] = [await make(false), await make(true)];
  const missing = Math.floor(findings / 10);
  const shapes: [string, { from: number; to: number; changed: number }][] = [
    ['new', { from: 0, to: findings, changed: 0 }],
    ['unchanged', { from: 0, to: findings, changed: 0 }],
    ['mixed', { from: missing, to: findings + missing, changed: 10 }],
  ];
  const costs: ImportCost[] = [];
  for (const [kind, shape] of shapes) {
    const without = await importInProcess(dataDir, 'packages', [{ slug: withoutPolicies.slug, shape }]);
    const evaluated = await importInProcess(dataDir, 'packages', [{ slug: withPolicies.slug, shape }]);
    costs.push({
      kind,
      findings,
      withoutMs: without.processMs,
      withMs: evaluated.processMs,
      ratio: round2(evaluated.processMs / without.processMs),
      violations: await countOf(database, withPolicies, 'policy_violation', 'resolved_at is null'),
    });
  }
  return costs;
}
