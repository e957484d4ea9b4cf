/** People, workspaces, keys and reports for tests, made the way an operator makes them. */

import { Readable } from 'node:stream';
import { type ReportFile, reportFile } from '../../src/commands/scan.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { createPersonalKey, createWorkspaceKey, type MadeKey } from '../../src/features/api-keys/service.ts';
import { addMember } from '../../src/features/members/service.ts';
import { parseReference } from '../../src/features/repositories/reference-name.ts';
import type { ReportInput } from '../../src/features/scans/upload/intake.ts';
import { createWorkspace } from '../../src/features/tenants/service.ts';
import { createUser } from '../../src/features/users/service.ts';
import type { UserRow } from '../../src/features/users/store.ts';
import {
  type Principal,
  type Role,
  type Scope,
  scopesOfRole,
  type Tenant,
} from '../../src/http/principal.ts';
import type { TestDatabase } from './database.ts';

export interface TestWorkspace {
  tenant: Tenant;
  /** One person of each role, with a personal key that holds every scope of the role. */
  people: Record<Role, { user: UserRow; key: string }>;
}

/** A workspace with an admin, a member and a viewer: `admin@SLUG.example` and so on. */
export async function createTestWorkspace({ db }: TestDatabase, slug: string): Promise<TestWorkspace> {
  const tenant = await installTx(db, (tx) => createWorkspace(tx, slug, `Workspace ${slug}`));
  const person = async (role: Role) => {
    const user = await installTx(db, (tx) =>
      createUser(tx, `${role}@${slug}.example`, `${role} of ${slug}`, null),
    );
    await tenantTx(db, tenant.id, (tx) => addMember(tx, tenant.id, user.id, role));
    const { key } = await createTestKey({ db }, { userId: user.id, role });
    return { user, key };
  };
  return {
    tenant,
    people: { admin: await person('admin'), member: await person('member'), viewer: await person('viewer') },
  };
}

/** The person as services see them, at the console. */
export function principalAs({ tenant, people }: TestWorkspace, role: Role): Principal {
  const { user } = people[role];
  const credential = {
    type: 'session' as const,
    id: user.id,
    signedInAt: new Date(),
    expiresAt: new Date(),
    operator: false,
  };
  return { credential, user: { ...user, kind: 'user' }, tenant, role, scopes: scopesOfRole(role) };
}

/** A personal key; by default with every scope that the role may hold. */
export async function createTestKey(
  { db }: Pick<TestDatabase, 'db'>,
  options: { userId: string; role: Role; scopes?: Scope[]; expires?: string; restrictedTo?: string[] },
): Promise<MadeKey> {
  return installTx(
    db,
    (tx) =>
      createPersonalKey(tx, {
        name: 'test',
        scopes: options.scopes ?? scopesOfRole(options.role),
        expires: options.expires ?? '90d',
        madeBy: null,
        userId: options.userId,
        roles: [options.role],
        restrictedTo: options.restrictedTo ?? null,
      }),
    options.userId,
  );
}

export async function createTestWorkspaceKey(
  { db }: Pick<TestDatabase, 'db'>,
  tenant: Tenant,
  role: Role,
): Promise<MadeKey> {
  return tenantTx(db, tenant.id, (tx) =>
    createWorkspaceKey(tx, {
      name: 'ci',
      scopes: scopesOfRole(role),
      expires: '90d',
      madeBy: null,
      tenantId: tenant.id,
      role,
    }),
  );
}

type Told = Omit<ReportInput, 'reference' | 'repository'>;

/** A report of `acme/shop` on main, now, unless told otherwise. */
export function reportInput(
  report: unknown,
  overrides: Partial<Told> & { ref?: string; repository?: string; report?: Uint8Array } = {},
): ReportFile {
  const { ref = 'main', repository = 'acme/shop', report: bytes, ...rest } = overrides;
  const content = bytes ?? Buffer.from(typeof report === 'string' ? report : JSON.stringify(report));
  return reportFile({
    repository: { fullName: repository },
    reference: parseReference(ref),
    fileName: 'report.json',
    open: () => Readable.from([content]),
    ...rest,
  });
}
