/** `merlond inventory apply`: organizations, repositories and applications from a file. */

import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { applyInventory } from '../actions/inventory-file/apply.ts';
import { withContext } from '../domain/domain-error.ts';
import { readPath } from '../domain/named-path.ts';
import { parseInventory } from '../inventory/file/document.ts';
import { printJson, say } from './output.ts';
import { inChangeTx } from './with-database.ts';

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
      const text = await readPath(file, () => readFile(file, 'utf8'));
      await withContext(`Nothing was loaded from ${file}.`, async () => {
        const inventory = parseInventory(text);
        const applied = await inChangeTx(options.workspace, (tx) => applyInventory(tx, inventory));
        if (options.json) printJson(applied);
        else {
          say(
            `applied ${applied.organizations} organizations, ${applied.repositories} repositories, ${applied.applications} applications`,
          );
        }
      });
    });
}
