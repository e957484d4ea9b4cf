/**
 * `merlon references` lists the references of a repository, and marks some as deleted: those that are named, or the
 * branches that the remote of the checkout no longer has.
 */
import { type Answer, pages } from '@merlon/client';
import type { Column } from '@merlon/terminal';
import type { Command } from 'commander';
import type { Git } from '../checkout/checkout.ts';
import { currentEnvironment, detectCheckout } from '../checkout/detect.ts';
import { gitIn } from '../checkout/git.ts';
import { repositoryOfUrl } from '../checkout/remote-url.ts';
import { findSubject } from '../checkout/subject.ts';
import { CommandError, exitCodes } from '../failures.ts';
import { print, printList, say } from '../output.ts';
import { type GlobalOptions, openSession, type Session } from '../session.ts';

type Reference = Answer<'listReferences'>['items'][number];
type RepositoryOptions = GlobalOptions & { repo?: string };
type SyncOptions = RepositoryOptions & { remote: string; dryRun?: true; force?: true };

const perPage = 200;
// Another machine answers, which takes longer than the commands that read a checkout.
const remoteLimitMs = 60_000;
// So few may all be gone.
const fewBranches = 4;

export function addReferencesCommands(program: Command): void {
  const references = program
    .command('references')
    .description('List the references of a repository: branches, tags and pull requests')
    .option('--repo <name>', 'repository: id or full name; default: that of the checkout')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon references --repo acme/shop\n  merlon references delete release/1 --repo acme/shop\n' +
        '  merlon references sync --dry-run',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<RepositoryOptions>();
      const { repo } = findSubject(options, detectCheckout(currentEnvironment()));
      const session = await openSession(options);
      printList(options, { items: await listReferences(session, repo) }, columns);
    });

  references
    .command('delete <ref...>')
    .description(
      'Mark branches, tags or pull requests as deleted: vulnerabilities that are open there alone count as fixed until the next scan. Needs an admin',
    )
    .addHelpText(
      'after',
      '\nA short name is a branch if there is one of that name, else a tag.\n\nExamples:\n' +
        '  merlon references delete release/1 --repo acme/shop\n' +
        '  merlon references delete refs/tags/v1 refs/pull/7/head --repo acme/shop',
    )
    .action(async (names: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<RepositoryOptions>();
      const { repo } = findSubject(options, detectCheckout(currentEnvironment()));
      const session = await openSession(options);
      const known = await listReferences(session, repo);
      const chosen = names.map((name) => {
        const found = findReference(known, name);
        if (found !== undefined) return found;
        throw new CommandError(
          `The repository ${repo} has no reference ${name}: merlon references lists those that it has.`,
          exitCodes.refused,
        );
      });
      // The default branch ends last.
      chosen.sort((a, b) => Number(a.is_default) - Number(b.is_default));
      for (const one of chosen) await markDeleted(session, one);
      printList(options, { items: chosen.map((one) => ({ ...one, active: false })) }, columns);
    });

  references
    .command('sync')
    .description(
      'Mark the active branches as deleted that the remote of the checkout no longer has. Needs an admin',
    )
    .option('--remote <name>', 'remote of the checkout', 'origin')
    .option('--dry-run', 'show the branches and change nothing')
    .option('--force', 'also if the remote has another name, or lacks most of the active branches')
    .addHelpText(
      'after',
      '\nThe default branch is never marked.\n\nExample:\n  merlon references sync --dry-run',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<SyncOptions>();
      const environment = currentEnvironment();
      const { repo } = findSubject(options, detectCheckout(environment));
      if (!options.force) checkRemote(environment.git, options, repo);
      const session = await openSession(options);
      // The remote is asked after the server, so that a branch which is scanned meanwhile is not among those that are missing.
      const known = await listReferences(session, repo);
      const present = branchesOf(gitIn(process.cwd(), remoteLimitMs), options.remote);
      const active = known.filter((reference) => reference.type === 'branch' && reference.active);
      const missing = active.filter(({ ref }) => !present.has(ref));
      const ofDefault = missing.find((reference) => reference.is_default);
      if (ofDefault !== undefined) {
        throw new CommandError(
          `The remote ${options.remote} has no branch ${ofDefault.ref}, which is the default branch of ${repo}: check --remote and --repo. Nothing was changed.`,
          exitCodes.refused,
        );
      }
      if (!options.dryRun && !options.force && missing.length > Math.max(fewBranches, active.length / 2)) {
        throw new CommandError(
          `The remote ${options.remote} lacks ${missing.length} of ${active.length} active branches: look at them with --dry-run, and use --force if they are gone. Nothing was changed.`,
          exitCodes.refused,
        );
      }
      if (!options.dryRun) for (const one of missing) await markDeleted(session, one);
      const items = options.dryRun ? missing : missing.map((one) => ({ ...one, active: false }));
      if (items.length === 0 && !options.json) print('No branch is missing.');
      else printList(options, { items }, columns);
    });
}

/** Throws CommandError if the remote is that of another repository, such as a fork. */
function checkRemote(git: Git, { remote, repo: given }: SyncOptions, repo: string): void {
  const url = git('remote', 'get-url', '--', remote);
  const name = url === null ? null : repositoryOfUrl(url);
  // A directory has no name, so the one that is given counts.
  if (name === null ? given !== undefined : name.toLowerCase() === repo.toLowerCase()) return;
  throw new CommandError(
    `The remote ${remote} is ${name ?? 'a directory, or missing'}, and not ${repo}: run the command in a checkout of the repository, or use --force if it is the same one. Nothing was changed.`,
    exitCodes.refused,
  );
}

/** Finds a reference by its full name, or by that of a branch or tag without its beginning. */
function findReference(known: Reference[], name: string): Reference | undefined {
  return [name, `refs/heads/${name}`, `refs/tags/${name}`]
    .flatMap((full) => known.filter((reference) => fullNameOf(reference) === full))
    .at(0);
}

function fullNameOf({ ref, type }: Reference): string {
  if (type === 'branch') return `refs/heads/${ref}`;
  return type === 'tag' ? `refs/tags/${ref}` : ref;
}

const columns: Column<Reference>[] = [
  { title: 'REF', text: ({ ref }) => ref, gives: true },
  { title: 'TYPE', text: ({ type }) => type },
  { title: 'STATE', text: stateOf },
  { title: 'LAST SCAN', text: (row) => row.last_scanned_at?.slice(0, 10) ?? '-' },
  // Nothing that is open on an inactive reference counts.
  { title: 'OPEN', text: (row) => (row.active ? String(openOf(row)) : '-') },
  { title: 'ID', text: ({ id }) => id },
];

function stateOf({ is_default, tracked, active }: Reference): string {
  if (!active) return 'inactive';
  if (is_default) return 'default';
  return tracked ? 'tracked' : 'active';
}

function openOf({ open_by_severity }: Reference): number {
  return Object.values(open_by_severity).reduce((sum, count) => sum + count, 0);
}

async function listReferences({ client, workspace }: Session, repo: string): Promise<Reference[]> {
  const rows: Reference[] = [];
  const listed = pages<Reference>((cursor) =>
    client.listReferences({ path: { tenant_slug: workspace }, query: { repo, per_page: perPage, cursor } }),
  );
  for await (const row of listed) rows.push(row);
  return rows;
}

/** Returns the names of the branches. Throws CommandError if the remote does not answer or has none. */
function branchesOf(git: Git, remote: string): Set<string> {
  const lines = git('ls-remote', '--heads', '--', remote)?.split('\n') ?? [];
  const names = lines.flatMap((line) => /\trefs\/heads\/(.+)$/.exec(line)?.[1] ?? []);
  if (names.length > 0) return new Set(names);
  throw new CommandError(
    `The command git ls-remote --heads ${remote} gave no branch: check that the remote exists and can be read. Nothing was changed.`,
    exitCodes.refused,
  );
}

async function markDeleted({ client, workspace }: Session, reference: Reference): Promise<void> {
  const name = fullNameOf(reference);
  if (!reference.active) {
    say(`${name} is inactive already.`);
    return;
  }
  await client.changeReference({
    path: { tenant_slug: workspace, reference: reference.id },
    body: { deleted: true },
  });
  say(`Marked ${name} as deleted.`);
}
