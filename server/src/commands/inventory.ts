/** `merlond inventory apply`: organizations, repositories and applications from a file. */

import type { Command } from 'commander';
import { getWorkspace } from '../access/workspaces/service.ts';
import { applyInventory } from '../actions/inventory-file/apply.ts';
import { importTx, installTx } from '../db/database.ts';
import { DomainError } from '../domain/domain-error.ts';
import { parseInventory } from '../inventory/file/document.ts';
import { readNamedFile } from './named-file.ts';
import { printJson, say, withDatabase } from './session.ts';

export function addInventoryCommands(program: Command): void {
  program
    .command('inventory')
    .description('Organizations, repositories, applications')
    .command('apply <file>')
    .description('Create or update them from a YAML file; those that it does not mention stay')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond inventory apply inventory.yaml --workspace acme\nThe form of the file: docs/inventory.md',
    )
    .action(async (file: string, options: { workspace: string; json?: true }) => {
      try {
        const inventory = parseInventory(await readNamedFile(file));
        const applied = await withDatabase(async ({ db }) => {
          const tenant = await installTx(db, (tx) => getWorkspace(tx, options.workspace));
          return importTx(db, tenant.id, (tx) => applyInventory(tx, inventory));
        });
        if (options.json) printJson(applied);
        else {
          say(
            `applied ${applied.organizations} organizations, ${applied.repositories} repositories, ${applied.applications} applications`,
          );
        }
      } catch (error) {
        if (error instanceof DomainError)
          throw new DomainError(
            error.kind,
            `${file}:
${error.message}`,
          );
        throw error;
      }
    });
}
