/** `merlon issue` makes issues of vulnerabilities in trackers, and lists them. */
import type { Answer } from '@merlon/client';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../failures.ts';
import { print, printJson, printList } from '../output.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type Issues = Answer<'listVulnerabilityIssues'>;

export function addIssueCommands(program: Command): void {
  const issue = program.command('issue').description('Issues in GitHub, GitLab or Jira: list and make them');

  issue
    .command('list <vulnerability>')
    .description('List the issues of a vulnerability, newest first')
    .addHelpText('after', '\nExample:\n  merlon issue list vc_…')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace } = await openSession(options);
      const found = await client.listVulnerabilityIssues({
        path: { tenant_slug: workspace, vulnerability: id },
      });
      printList(options, found, [
        { title: 'TRACKER', text: (row) => row.tracker.name, gives: true },
        { title: 'ISSUE', text: (row) => row.key ?? '-' },
        { title: 'STATUS', text: statusOf, gives: true },
        { title: 'OPEN', text: (row) => `${row.open} of ${row.vulnerabilities}` },
        { title: 'ADDRESS', text: (row) => row.url ?? '-', gives: true },
      ]);
    });

  issue
    .command('create <vulnerability>')
    .description('Make an issue for a vulnerability, or for its package in its repository')
    .requiredOption('--tracker <name>', 'name or id of the issue tracker')
    .option('--group', 'one issue for all open vulnerabilities of the package')
    .addHelpText(
      'after',
      "\nExamples:\n  merlon issue create vc_… --tracker 'Shop team'\n  merlon issue create vc_… --tracker 'Shop team' --group",
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { tracker: string; group?: true }>();
      const { client, workspace } = await openSession(options);
      const path = { tenant_slug: workspace, vulnerability: id };
      const found = await client.listVulnerabilityIssues({ path });
      const made = await client.createVulnerabilityIssue({
        path,
        body: { tracker: trackerOf(found, options.tracker), group: options.group ?? false },
      });
      if (options.json) printJson(made);
      else print('The issue is made within seconds.');
    });
}

/** Returns the id of the tracker with this name. An id is returned unchanged, and the server checks it. */
function trackerOf({ items, trackers }: Issues, text: string): string {
  const named = trackers.filter(({ name }) => name === text);
  const [first] = named;
  if (named.length > 1) {
    throw new CommandError(
      `Several issue trackers have this name: give one of the ids ${named.map(({ id }) => id).join(', ')}.`,
      exitCodes.usage,
    );
  }
  if (first !== undefined || text.startsWith('trk_')) return first?.id ?? text;
  const made = items.find(({ tracker }) => tracker.name === text);
  if (made !== undefined) {
    throw new CommandError(
      `The vulnerability has an issue in this tracker already (${made.url ?? made.state}).`,
    );
  }
  const names = trackers.map(({ name }) => name).join(', ');
  throw new CommandError(
    `The --tracker must be one in which the vulnerability may have an issue: ${names || 'there is none'}.`,
    exitCodes.usage,
  );
}

function statusOf({ state, status, error }: Issues['items'][number]): string {
  if (state !== 'linked') return error === null ? state : `${state}: ${error}`;
  return status ?? state;
}
