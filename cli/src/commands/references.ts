/**
 * `merlon references` lists the references of a repository, and marks some as deleted: those that are named, or the
 * branches that the remote of the checkout no longer has.
 */
import { type Answer, MerlonError, pages } from '@merlon/client';
import type { Column } from '@merlon/terminal';
import type { Command } from 'commander';
import type { Git } from '../checkout/checkout.ts';
import { currentEnvironment, detectCheckout } from '../checkout/detect.ts';
import { gitIn } from '../checkout/git.ts';
import { isNameBelow, repositoryOfUrl } from '../checkout/remote-url.ts';
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
      for (const one of chosen) await markDeleted(session, one, {});
      printList(options, { items: chosen.map((one) => ({ ...one, active: false })) }, columns);
    });

  references
    .command('sync')
    .description(
      'Mark the active branches as deleted that the remote of the checkout no longer has. Needs an admin',
    )
    .option('--remote <name>', 'remote of the checkout', 'origin')
    .option('--dry-run', 'show the branches and change nothing')
    .option('--force', 'also if the remote has another name, or lacks most of the tracked branches')
    .addHelpText(
      'after',
      '\nThe default branch is never marked.\n\nExample:\n  merlon references sync --dry-run',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<SyncOptions>();
      const environment = currentEnvironment();
      const { repo } = findSubject(options, detectCheckout(environment));
      const session = await openSession(options);
      if (!options.force) await checkRemote(session, environment.git, options, repo);
      // The remote is asked after the server, so that it has each branch that was scanned before.
      const known = await listReferences(session, repo);
      const present = branchesOf(gitIn(process.cwd(), remoteLimitMs), options.remote);
      const active = known.filter((reference) => reference.type === 'branch' && reference.active);
      const missing = active.filter(({ ref }) => !present.has(ref));
      checkDefault(options, repo, known, present);
      checkMissing(options, active, missing);
      const marked: Reference[] = [];
      for (const one of options.dryRun ? [] : missing) {
        const isMarked = await markDeleted(session, one, { last_scanned_at: one.last_scanned_at });
        if (isMarked) marked.push({ ...one, active: false });
      }
      const items = options.dryRun ? missing : marked;
      if (items.length === 0 && !options.json) print('No branch is missing.');
      else printList(options, { items }, columns);
    });
}

/** Throws CommandError if the remote is that of another repository, such as a fork. */
async function checkRemote(
  { client, workspace }: Session,
  git: Git,
  { remote, repo: given }: SyncOptions,
  repo: string,
): Promise<void> {
  const url = git('remote', 'get-url', '--', remote);
  const name = url === null ? null : repositoryOfUrl(url);
  // A directory has no name, so the one that is given counts.
  if (name === null && given !== undefined) return;
  // The repository may be given by its id.
  const { full_name: fullName } = await client.getRepository({ path: { tenant_slug: workspace, repo } });
  const { items: forges } = await client.listForges({ path: { tenant_slug: workspace } });
  const paths = forges.map((forge) => new URL(forge.url).pathname);
  if (name !== null && isNameBelow(name, fullName, paths)) return;
  throw new CommandError(
    `The remote ${remote} is ${name ?? 'a directory, or missing'}, and not ${fullName}: run the command in a checkout of the repository. If it is the same one below a path of its server, name that server in the settings of the workspace (forges), or use --force. Nothing was changed.`,
    exitCodes.refused,
  );
}

/**
 * Throws CommandError if the remote lacks the default branch, also one that has ended: it may be another repository's.
 */
function checkDefault(
  { remote }: SyncOptions,
  repo: string,
  known: Reference[],
  present: ReadonlySet<string>,
): void {
  const ofDefault = known.find((reference) => reference.is_default);
  if (ofDefault === undefined || present.has(ofDefault.ref)) return;
  throw new CommandError(
    `The remote ${remote} has no branch ${ofDefault.ref}, which is the default branch of ${repo}. If it has another name now, make that one the default branch; if not, check --remote and --repo. Nothing was changed.`,
    exitCodes.refused,
  );
}

/**
 * Throws CommandError if the remote lacks so much that it may be another one. Branches that are not tracked come and
 * go, so all of them may be missing.
 */
function checkMissing(
  { remote, force, dryRun }: SyncOptions,
  active: Reference[],
  missing: Reference[],
): void {
  const tracked = active.filter((reference) => reference.tracked);
  const lacking = missing.filter((reference) => reference.tracked);
  if (!dryRun && !force && lacking.length > tracked.length / 2) {
    throw new CommandError(
      `The remote ${remote} lacks ${lacking.length} of ${tracked.length} active tracked branches: look at them with --dry-run, and use --force if they are gone. Nothing was changed.`,
      exitCodes.refused,
    );
  }
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

/** Returns false for a branch that has another last scan than the given one. */
async function markDeleted(
  { client, workspace }: Session,
  reference: Reference,
  known: { last_scanned_at?: string | null },
): Promise<boolean> {
  const name = fullNameOf(reference);
  if (!reference.active) {
    say(`${name} is inactive already.`);
    return true;
  }
  try {
    await client.changeReference({
      path: { tenant_slug: workspace, reference: reference.id },
      body: { deleted: true, ...known },
    });
  } catch (error) {
    if (!(error instanceof MerlonError) || error.code !== 'INVALID_TRANSITION') throw error;
    say(`${name} was scanned meanwhile, so it stays.`);
    return false;
  }
  say(`Marked ${name} as deleted.`);
  return true;
}
