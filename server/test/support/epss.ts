/** EPSS scores for tests, loaded from a file like by the operator. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reEvaluateIntel } from '../../src/actions/intel/re-evaluate.ts';
import { importIntel } from '../../src/actions/intel/service.ts';
import type { TenantId } from '../../src/domain/ids.ts';
import type { TestDatabase } from './database.ts';
import { createDirectory } from './process.ts';

const directory = createDirectory();
let files = 0;

/** Replaces all loaded scores. The bands of each workspace follow when its changes are evaluated. */
export async function loadScores(
  { db }: Pick<TestDatabase, 'db'>,
  scores: (readonly [cve: string, score: number])[],
): Promise<void> {
  const rows = scores.map(([cve, score]) => `${cve},${score},0\n`);
  const epss = join(directory, `${files++}.csv`);
  writeFileSync(
    epss,
    `#model_version:v1,score_date:2026-01-01T00:00:00Z\ncve,epss,percentile\n${rows.join('')}`,
  );
  await importIntel(db, { kev: null, epss, force: true }, new Date());
}

/** Evaluates the changes of the workspace until none waits, so that its bands are those of the loaded scores. */
export async function evaluateChanges(
  { db, owner }: Pick<TestDatabase, 'db' | 'owner'>,
  tenantId: TenantId,
): Promise<void> {
  for (let waiting = 1; waiting > 0; ) {
    await reEvaluateIntel(db, tenantId, new Date());
    // A change stays while a transaction may run that is older. Here none does.
    const { rowCount } = await owner.query(
      `update intel_change set created_at = created_at - interval '1 minute' where tenant_id = $1`,
      [tenantId],
    );
    waiting = rowCount ?? 0;
  }
}
