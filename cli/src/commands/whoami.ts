/** `merlon whoami` shows the key, its owner, the workspace and the scopes in effect. */
import type { Command } from 'commander';
import { colour, print, printJson } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

export function addWhoamiCommand(program: Command): void {
  program
    .command('whoami')
    .description('Show the key, its workspace and the scopes in effect')
    .addHelpText('after', '\nExample:\n  merlon whoami')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace, baseUrl } = await openSession(options);
      const answer = await client.getWhoami({ path: { tenant_slug: workspace } });
      if (options.json) {
        printJson(answer);
        return;
      }
      const { actor, tenant, token } = answer;
      const rows = [
        ['server', baseUrl],
        ['workspace', `${tenant.workspace} (${tenant.slug})`],
        ['acts as', `${actor.name} <${actor.email}>`],
        ['key', `${token.name} (${token.id})`],
        ['expires', token.expires_at ?? 'never'],
        ['scopes', token.scopes.join(', ')],
      ] as const;
      for (const [name, value] of rows) print(`${colour('bold', name.padEnd(10))} ${value}`);
    });
}
