/** Makes a VEX document of a repository, an application or a reference from what is decided there. */
import { createHash } from 'node:crypto';
import { type Database, type Tx, tenantReadTx } from '../../db/database.ts';
import { invalidInput, orNotFound } from '../../domain/errors.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import type { Tenant } from '../../http/principal.ts';
import { getNamedApplication } from '../../inventory/applications/service.ts';
import { findNamedReference, getRepository } from '../../inventory/repositories/service.ts';
import { csafVex } from './csaf.ts';
import { cycloneDxVex } from './cyclonedx.ts';
import { openVex } from './openvex.ts';
import { statementOf, type VexDocument } from './vex-document.ts';
import {
  findNewestChange,
  findWithoutTracked,
  listVexRows,
  type VexRow,
  type VexScope,
} from './vex-store.ts';

export const vexFormats = ['openvex', 'csaf', 'cyclonedx'] as const;
export type VexFormat = (typeof vexFormats)[number];

export interface VexQuery {
  repo?: string | undefined;
  ref?: string | undefined;
  application?: string | undefined;
}

const writers: Record<VexFormat, (document: VexDocument) => object> = {
  openvex: openVex,
  csaf: csafVex,
  cyclonedx: cycloneDxVex,
};

// A document is written whole: its products stand before its vulnerabilities. A repository has some thousands at most.
const maxStatements = 20_000;
const maxPurls = 100_000;
// The time of a document about nothing.
const firstDocument = Date.parse('2026-01-01T00:00:00Z');

/**
 * Throws 404 for an unknown repository, reference or application, and 422 without one, for too many statements, for
 * OpenVEX without any, or for a repository without a scan of a tracked reference.
 */
export async function readVex(
  db: Database,
  tenant: Tenant,
  query: VexQuery,
  { format, publicUrl }: { format: VexFormat; publicUrl: string | null },
): Promise<object> {
  return tenantReadTx(db, tenant.id, async (tx) => {
    const { scope, title } = await resolveVexScope(tx, query);
    if ('repositoryIds' in scope) await refuseWithoutTracked(tx, scope.repositoryIds);
    const rows = await listVexRows(tx, scope, { maxRows: maxStatements + 1, maxPurls });
    const purls = rows.reduce((sum, row) => sum + row.purls.length, 0);
    if (rows.length > maxStatements || purls > maxPurls) throw tooMany();
    if (rows.length === 0 && format === 'openvex') throw withoutStatements();
    const namespace = publicUrl ?? 'https://merlon.invalid';
    const digest = createHash('sha256').update(JSON.stringify(scope)).digest('hex').slice(0, 32);
    const at = newestTime(rows, await findNewestChange(tx, scope));
    return writers[format]({
      id: `${namespace}/vex/${tenant.slug}/${digest}`,
      title,
      author: tenant.name,
      namespace,
      at,
      version: Math.floor(at.getTime() / 1000),
      statements: rows.map(statementOf),
    });
  });
}

// The time of the document is that of the newest change or decision, so that the same decisions give the same document.
function newestTime(rows: VexRow[], changedAt: Date | null): Date {
  const times = rows.map((row) => row.decided_at?.getTime() ?? 0);
  return new Date(
    times.reduce((newest, time) => Math.max(newest, time), changedAt?.getTime() ?? firstDocument),
  );
}

async function resolveVexScope(tx: Tx, query: VexQuery): Promise<{ scope: VexScope; title: string }> {
  const { repo, ref, application: name } = query;
  if ((repo === undefined) === (name === undefined)) {
    throw invalidInput('Give repo, or application: a VEX document is about one of them.', 'repo');
  }
  if (name !== undefined) {
    if (ref !== undefined) throw invalidInput('Give ref with repo.', 'ref');
    const { application, repositories } = await getNamedApplication(tx, name);
    return {
      scope: { repositoryIds: repositories.map(({ id }) => id) },
      title: `VEX of ${application.name}`,
    };
  }
  const repository = await getRepository(tx, repo ?? '');
  if (ref === undefined) {
    return { scope: { repositoryIds: [repository.id] }, title: `VEX of ${repository.full_name}` };
  }
  const reference = orNotFound(await findNamedReference(tx, repository, ref));
  return {
    scope: { referenceId: reference.id },
    title: `VEX of ${repository.full_name} at ${reference.full_ref}`,
  };
}

async function refuseWithoutTracked(tx: Tx, repositoryIds: RepositoryId[]): Promise<void> {
  const fullName = await findWithoutTracked(tx, repositoryIds);
  if (fullName === undefined) return;
  throw invalidInput(
    `No tracked reference of ${fullName} has been scanned: scan its default branch, or give repo and ref.`,
    'ref',
  );
}

function withoutStatements() {
  return invalidInput(
    'Nothing here is open or decided, and OpenVEX has no document without a statement: ask for csaf or cyclonedx.',
    'format',
  );
}

function tooMany() {
  return invalidInput(
    `A VEX document has at most ${maxStatements} statements about ${maxPurls} versions of packages: ask for one repository or reference.`,
    'repo',
  );
}
