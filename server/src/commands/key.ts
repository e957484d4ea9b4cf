/** `merlond key`: API keys, for the operator. People create theirs in the console. */
import { type Command, Option } from 'commander';
import { createRecordedKey, revokePersonalKey } from '../access/api-keys/personal-keys.ts';
import { type CreatedKey, createWorkspaceKey } from '../access/api-keys/service.ts';
import { findKeyOwner, listKeys } from '../access/api-keys/store.ts';
import { revokeWorkspaceKey } from '../access/api-keys/workspace-keys.ts';
import { listMembershipsOfUser, type UserMembership } from '../access/members/lookup.ts';
import { getUser } from '../access/users/service.ts';
import { getWorkspace } from '../access/workspaces/service.ts';
import { type Database, type InstallTx, installTx, tenantTx } from '../db/database.ts';
import { formatId, type KeyId, parseId } from '../domain/ids.ts';
import { type Role, roles, scopes } from '../http/principal.ts';
import { timestamp, timestampOrNull } from '../http/schema.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { printJson, printTable, say } from './output.ts';
import { operator, withDatabase } from './with-database.ts';

const keyKinds = ['personal', 'workspace'] as const;

interface CreateOptions {
  kind: (typeof keyKinds)[number];
  user?: string;
  workspace?: string;
  workspaces?: string;
  name: string;
  scopes: string;
  role: Role;
  expires: string;
  json?: true;
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys');
  key
    .command('create')
    .description('Create a key; its value is shown only once')
    .addOption(new Option('--kind <kind>', 'kind of the key').choices(keyKinds).makeOptionMandatory())
    .option('--user <email>', 'personal key: the user that it acts as')
    .option('--workspaces <slugs>', 'personal key: only these workspaces, separated by commas')
    .option('--workspace <slug>', 'workspace key: the workspace that it belongs to')
    .addOption(new Option('--role <role>', 'workspace key: its role').choices(roles).default('viewer'))
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption('--scopes <scopes>', 'scopes, separated by commas')
    .option('--expires <when>', '7d, 30d, 60d, 90d, 180d, 365d, a date such as 2027-01-31, or never', '90d')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nScopes:\n  ${scopes.join('\n  ')}\n\nExamples:\n` +
        '  merlond key create --kind personal --user ada@example.com --name laptop --scopes tenants:read,vulnerabilities:read\n' +
        '  merlond key create --kind workspace --workspace acme --name ci --scopes scans:read --role member --expires 365d',
    )
    .action(async (options: CreateOptions) => {
      const made = await withDatabase(({ db }) => createKey(db, options));
      const id = formatId('key', made.id);
      if (options.json) {
        const { kind, name, expires } = options;
        printJson({ id, key: made.key, kind, name, scopes: splitList(options.scopes), expires });
        return;
      }
      process.stdout.write(`${made.key}\n`);
      say(`created ${options.kind} key ${id} "${options.name}"; the value above is not shown again`);
    });
  key
    .command('list')
    .description('List keys, of one user or workspace, or all')
    .option('--user <email>', 'of this user')
    .option('--workspace <slug>', 'of this workspace')
    .option('--json', 'print JSON')
    .action(async (options: { user?: string; workspace?: string; json?: true }) => {
      const rows = await withDatabase(({ db }) =>
        installTx(db, async (tx) =>
          listKeys(tx, {
            userId: options.user === undefined ? undefined : (await getUser(tx, options.user)).id,
            tenantId:
              options.workspace === undefined ? undefined : (await getWorkspace(tx, options.workspace)).id,
          }),
        ),
      );
      const shown = rows.map((row) => ({
        ...row,
        id: formatId('key', row.id),
        created_at: timestamp(row.created_at),
        last_used_at: timestampOrNull(row.last_used_at),
        expires_at: timestampOrNull(row.expires_at),
      }));
      if (options.json) printJson(shown);
      else {
        printTable(
          ['ID', 'NAME', 'KIND', 'STATUS', 'ENDS IN', 'LAST USED', 'EXPIRES', 'SCOPES'],
          shown.map((row) => [
            row.id,
            row.name,
            row.kind,
            row.status,
            row.last_four,
            row.last_used_at ?? 'never',
            row.expires_at ?? 'never',
            row.scopes.join(','),
          ]),
        );
      }
    });
  key
    .command('revoke <key_id>')
    .description('Revoke a key permanently')
    .option('--json', 'print JSON')
    .action(async (keyId: string, options: { json?: true }) => {
      const id = parseId('key', keyId);
      const done = id !== undefined && (await withDatabase(({ db }) => revoke(db, id, keyId)));
      if (!done) throw new CommandError(`There is no key ${keyId}: "merlond key list" shows the keys.`);
      if (options.json) printJson({ id: keyId, status: 'Disabled' });
      else say(`${keyId} is revoked permanently`);
    });
}

async function revoke(db: Database, id: KeyId, keyId: string): Promise<boolean> {
  const owner = await installTx(db, (tx) => findKeyOwner(tx, id));
  if (!owner) return false;
  if (owner.tenant_id === null) await revokePersonalKey(db, owner.user_id, keyId, operator);
  else await revokeWorkspaceKey(db, owner.tenant_id, keyId, operator);
  return true;
}

async function createKey(db: Database, options: CreateOptions): Promise<CreatedKey> {
  const common = {
    name: options.name,
    scopes: splitList(options.scopes),
    expires: options.expires,
    createdBy: null,
  };
  return options.kind === 'personal'
    ? createPersonal(db, options, common)
    : createForWorkspace(db, options, common);
}

type Common = { name: string; scopes: string[]; expires: string; createdBy: null };

async function createPersonal(db: Database, options: CreateOptions, common: Common): Promise<CreatedKey> {
  if (options.user === undefined)
    throw new CommandError('A personal key needs a user: give --user.', exitCodes.usage);
  const email = options.user;
  const user = await installTx(db, (tx) => getUser(tx, email));
  return installTx(
    db,
    async (tx) => {
      const memberships = await listMembershipsOfUser(tx, user.id);
      const slugs = options.workspaces === undefined ? null : splitList(options.workspaces);
      const opened = slugs === null ? memberships : await membershipsIn(tx, memberships, slugs, email);
      if (opened.length === 0) {
        throw new CommandError(
          `The user ${email} is a member of no workspace: use "merlond member add" first.`,
        );
      }
      return createRecordedKey(tx, {
        ...common,
        userId: user.id,
        opened,
        isRestricted: slugs !== null,
      });
    },
    user.id,
  );
}

async function createForWorkspace(db: Database, options: CreateOptions, common: Common): Promise<CreatedKey> {
  if (options.workspace === undefined) {
    throw new CommandError('A workspace key needs a workspace: give --workspace.', exitCodes.usage);
  }
  const slug = options.workspace;
  const tenant = await installTx(db, (tx) => getWorkspace(tx, slug));
  return tenantTx(db, tenant.id, (tx) =>
    createWorkspaceKey(tx, { ...common, tenantId: tenant.id, role: options.role }),
  );
}

async function membershipsIn(
  tx: InstallTx,
  memberships: UserMembership[],
  slugs: string[],
  email: string,
): Promise<UserMembership[]> {
  const found: UserMembership[] = [];
  for (const slug of new Set(slugs)) {
    const { id } = await getWorkspace(tx, slug);
    const membership = memberships.find(({ tenantId }) => tenantId === id);
    if (membership === undefined) {
      throw new CommandError(`The user ${email} is not a member of ${slug}: use "merlond member add" first.`);
    }
    found.push(membership);
  }
  return found;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
