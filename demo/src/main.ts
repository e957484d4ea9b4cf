/**
 * `npm run demo`: the main job on made-up data. The reports of a small company over eight weeks go through the real
 * import. Then the server runs, and the terminal shows what to try.
 */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createPersonalKey } from '@merlon/server/src/access/api-keys/service.ts';
import { findTenantBySlug } from '@merlon/server/src/access/entry.ts';
import { addMember } from '@merlon/server/src/access/members/service.ts';
import { createUser, setPassword } from '@merlon/server/src/access/users/service.ts';
import { findUserByEmail } from '@merlon/server/src/access/users/store.ts';
import { importIntel } from '@merlon/server/src/actions/intel/service.ts';
import { applyInventory } from '@merlon/server/src/actions/inventory-file/apply.ts';
import { createWorkspace } from '@merlon/server/src/actions/workspaces/create-workspace.ts';
import { printJson, say } from '@merlon/server/src/commands/output.ts';
import { readConfig } from '@merlon/server/src/commands/read-config.ts';
import { importReports } from '@merlon/server/src/commands/scan.ts';
import { startServer, untilSignal, withOptions } from '@merlon/server/src/commands/serve.ts';
import type { Config } from '@merlon/server/src/config.ts';
import {
  type Database,
  importTx,
  installTx,
  tenantReadTx,
  tenantTx,
} from '@merlon/server/src/db/database.ts';
import { parseReference } from '@merlon/server/src/domain/reference-name.ts';
import { scopes, type Tenant } from '@merlon/server/src/http/principal.ts';
import { reportFile } from '@merlon/server/src/ingest/upload/import-files.ts';
import { parseInventory } from '@merlon/server/src/inventory/file/document.ts';
import { lazyQueue } from '@merlon/server/src/jobs/queue.ts';
import { runProgram } from '@merlon/server/src/main.ts';
import { type OpenDatabase, openConfigured } from '@merlon/server/src/open.ts';
import { applyPolicies } from '@merlon/server/src/policies/definition/apply.ts';
import { parsePolicies } from '@merlon/server/src/policies/definition/document.ts';
import { evaluatePolicies } from '@merlon/server/src/policies/evaluation/evaluate-policies.ts';
import { Command } from 'commander';
import { inventory } from './company/company.ts';
import { type DemoPerson, people } from './company/people.ts';
import { policies } from './company/policies.ts';
import { decideDemo, lastAct } from './decisions.ts';
import { generateScans } from './generate.ts';
import { epssFeed, kevFeed } from './knowledge/intel.ts';

const slug = 'kestrel';
const { email } = people.admin;
// The reports are the same at every first start; only their dates follow the clock.
const seed = 7;

/** Runs one command line. Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  const program = new Command('demo')
    .description('Show Merlon with made-up data, in a database of its own')
    .addHelpText('after', '\nExample:\n  npm run demo -- --port 9000\nSettings: docs/configuration.md')
    .option('--port <port>', 'instead of MERLON_PORT')
    .option('--host <host>', 'instead of MERLON_HOST')
    .option('--json', 'print the address and the key as JSON')
    .action(async (options: { port?: string; host?: string; json?: true }) => {
      const config = withOptions(readConfig(), options);
      // The demo has its own directory beside the real data. It never uses a server that the settings name.
      const demoConfig = {
        ...config,
        dataDir: join(config.dataDir, 'demo'),
        databaseUrl: null,
        databaseOwnerUrl: null,
        secretFile: null,
        logLevel: 'warn' as const,
      };
      const open = await openConfigured(demoConfig, say);
      try {
        await fill(open, demoConfig);
        const key = await createKey(open.db);
        const password = await createPassword(open.db);
        const server = await startServer(demoConfig, open);
        if (options.json) printJson({ url: server.url, workspace: slug, key, email, password });
        else process.stdout.write(guide(server.url, key, password));
        await untilSignal();
        say('stopping');
        await server.stop();
      } finally {
        await open.close();
      }
    });
  return runProgram(program, argv);
}

async function fill(open: OpenDatabase, config: Config): Promise<void> {
  const { db } = open;
  const tenant = await getOrCreateDemoWorkspace(db);
  const [state] = await tenantReadTx(db, tenant.id, (tx) =>
    tx.query<{ done: boolean }>(
      'select exists (select 1 from audit_event where tenant_id = $1 and action = $2) as done',
      [tenant.id, lastAct],
    ),
  );
  if (state?.done) return;
  await importTx(db, tenant.id, (tx) => applyInventory(tx, parseInventory(inventory)));
  await loadIntel(db, new Date());
  await applyDemoPolicies(db, tenant);
  const scans = generateScans({ now: new Date(), seed });
  say(`importing ${scans.length} reports of eight weeks`);
  const started = Date.now();
  await importReports(
    open,
    config,
    slug,
    scans.map((scan) =>
      reportFile({
        repository: { fullName: scan.repository },
        reference: parseReference(scan.ref, scan.refType),
        defaultBranch: parseReference(scan.defaultBranch, 'branch'),
        sha: scan.sha,
        scannedAt: new Date(scan.scannedAt),
        fileName: scan.fileName,
        open: () => Readable.from([Buffer.from(scan.report)]),
      }),
    ),
  );
  await decideDemo(db, tenant);
  await evaluatePolicies(db, tenant.id);
  say(`imported in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function loadIntel(db: Database, now: Date): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'merlon-demo-'));
  try {
    const files = { kev: join(folder, 'kev.json'), epss: join(folder, 'epss.csv') };
    await writeFile(files.kev, kevFeed(now));
    await writeFile(files.epss, epssFeed(now));
    await importIntel(db, { ...files, force: false }, now);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function applyDemoPolicies(db: Database, tenant: Tenant): Promise<void> {
  const queue = lazyQueue(db);
  try {
    const boss = await queue.open();
    await importTx(db, tenant.id, (tx) =>
      applyPolicies(tx, boss, parsePolicies(policies), { actorId: null }),
    );
  } finally {
    await queue.close();
  }
}

async function getOrCreateDemoWorkspace(db: Database): Promise<Tenant> {
  const found = await installTx(db, (tx) => findTenantBySlug(tx, slug));
  const tenant =
    found ?? (await installTx(db, (tx) => createWorkspace(tx, slug, 'Kestrel Freight', { actorId: null })));
  for (const { email, name, role, operator = false } of Object.values<DemoPerson>(people)) {
    const user = await installTx(db, async (tx) =>
      (await findUserByEmail(tx, email)) ? null : createUser(tx, email, name, null, { operator }),
    );
    if (user) await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, role));
  }
  return tenant;
}

// All people of the demo share one password. It is new at each start, because it is printed.
async function createPassword(db: Database): Promise<string> {
  const password = `kestrel-${randomBytes(9).toString('base64url')}`;
  await installTx(db, async (tx) => {
    for (const person of Object.values(people)) {
      const user = await findUserByEmail(tx, person.email);
      if (user) await setPassword(tx, user.id, password);
    }
  });
  return password;
}

// Each start makes a new key, because the value of an old one cannot be shown again.
async function createKey(db: Database): Promise<string> {
  return installTx(db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw new Error(`there is no user ${email}`);
    const { key } = await createPersonalKey(tx, {
      name: 'demo',
      scopes: [...scopes],
      expires: '7d',
      createdBy: null,
      userId: user.id,
      roles: ['admin'],
      restrictedTo: null,
    });
    return key;
  });
}

function guide(url: string, key: string, password: string): string {
  const api = `${url}/api/v1`;
  const curl = (path: string): string => `curl -s -H 'Authorization: Bearer ${key}' '${api}${path}'`;
  return `
Merlon answers at ${url}

  Console   ${url}
  Sign in   ${email}
  Password  ${password}
            the same for ${Object.values(people)
              .slice(1)
              .map((person) => `${person.email} (${person.role})`)
              .join(',\n            ')}

  API       ${api}
  API key   ${key}
  API docs  ${url}/docs

Try:

${curl(`/${slug}/whoami`)}

${curl(`/${slug}/vulnerabilities?ref=HEAD&state=open&severity=critical,high&per_page=5`)}

${curl(`/${slug}/gate?repo=kestrel-freight/storefront&ref=main`)}

Ctrl-C stops everything.
`;
}
