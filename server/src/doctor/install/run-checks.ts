/** Runs the checks of an install one after the other. */
import { type Check, type CheckedInstall, type CheckResult, fault, skipped } from './check.ts';
import { citusChecks } from './citus-checks.ts';
import { contentChecks } from './content-checks.ts';
import { databaseChecks } from './database-checks.ts';
import { nodeChecks } from './node-checks.ts';

export type NamedResult = { check: string } & CheckResult;

export async function runChecks(install: CheckedInstall): Promise<NamedResult[]> {
  const results: NamedResult[] = [];
  for (const check of [...databaseChecks, ...citusChecks, ...contentChecks, ...nodeChecks]) {
    const lacksSchema = results.some(
      ({ check: name, result }) => name === 'migrations' && result === 'fault',
    );
    const result =
      check.needsSchema && lacksSchema
        ? skipped('the schema is not that of this version')
        : await runCheck(check, install);
    results.push({ check: check.name, ...result });
  }
  return results;
}

async function runCheck(check: Check, install: CheckedInstall): Promise<CheckResult> {
  return check
    .run(install)
    .catch((error: Error) => fault(`not checked: ${error.message}`, 'Mend this, and run it again.'));
}
