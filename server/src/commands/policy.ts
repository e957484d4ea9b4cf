/** `merlond policy apply`: policies from a file, after showing the difference. `list`: the stored policies. */

import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { importTx, tenantReadTx } from '../db/database.ts';
import { withContext } from '../domain/domain-error.ts';
import { readPath } from '../domain/named-path.ts';
import { lazyQueue } from '../jobs/queue.ts';
import { applyPolicies, planPolicies } from '../policies/definition/apply.ts';
import { parsePolicies } from '../policies/definition/document.ts';
import { showDifferences, showPolicies } from '../policies/definition/show.ts';
import { listPolicies } from '../policies/definition/store.ts';
import { dryRunPolicy } from '../policies/evaluation/dry-run.ts';
import { print, printJson, printTable, say } from './output.ts';
import { operator, withWorkspace } from './with-database.ts';

export function addPolicyCommands(program: Command): void {
  const policy = program.command('policy').description('Policies');
  policy
    .command('apply <file>')
    .description('Create or update policies from a YAML file; those that it does not mention stay')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--dry-run', 'show what would change, match and block; change nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond policy apply policies.yaml --workspace acme --dry-run\nThe form of the file: docs/policies.md',
    )
    .action(async (file: string, options: { workspace: string; dryRun?: true; json?: true }) => {
      const text = await readPath(file, () => readFile(file, 'utf8'));
      await withContext(`Nothing was loaded from ${file}.`, async () => {
        const inputs = parsePolicies(text);
        await withWorkspace(options.workspace, async ({ db }, { id }) => {
          const differences = await tenantReadTx(db, id, async (tx) => {
            const planned = await planPolicies(tx, inputs);
            return showDifferences(
              tx,
              planned.map(({ difference }) => difference),
            );
          });
          if (!options.json) for (const difference of differences) printDifference(difference);
          if (options.dryRun) {
            const policies = [];
            for (const [i, input] of inputs.entries()) {
              const unlimited = { limitMs: Number.POSITIVE_INFINITY, listed: 0 };
              const { found: _, ...counts } = await dryRunPolicy(db, id, input, unlimited);
              policies.push({ ...differences[i], ...counts });
              if (!options.json) {
                say(
                  `${input.key}: would match ${counts.matches} in ${counts.repositories} repositories, block ${counts.blocked_references} references`,
                );
              }
            }
            if (options.json) printJson({ applied: false, policies });
            return;
          }
          const queue = lazyQueue(db);
          try {
            const boss = await queue.open();
            const policies = await importTx(db, id, async (tx) =>
              showDifferences(tx, await applyPolicies(tx, boss, inputs, operator)),
            );
            if (options.json) printJson({ applied: true, policies });
            else
              say(`applied ${policies.length} policies; a running server evaluates the workspace with them`);
          } finally {
            await queue.close();
          }
        });
      });
    });
  policy
    .command('list')
    .description('List the policies of a workspace')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print JSON')
    .action(async (options: { workspace: string; json?: true }) => {
      const policies = await withWorkspace(options.workspace, ({ db }, { id }) =>
        tenantReadTx(db, id, async (tx) => showPolicies(tx, await listPolicies(tx))),
      );
      if (options.json) printJson(policies);
      else
        printTable(
          ['KEY', 'STATUS', 'MODE', 'TARGET', 'NAME'],
          policies.map((one) => [one.key, one.status, one.enforcement_mode, one.target_type, one.name]),
        );
    });
}

function printDifference({ key, change, fields }: Awaited<ReturnType<typeof showDifferences>>[number]): void {
  print(`${{ created: '+', changed: '~', same: '=' }[change]} ${key}`);
  for (const [name, { from, to }] of Object.entries(fields)) {
    print(`    ${name}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`);
  }
}
