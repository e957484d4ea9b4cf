/** Workspaces with scans, and their pages, for the browser tests of scans. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RepositoryId } from '../../../server/src/domain/ids.ts';
import { processRepository } from '../../../server/src/ingest/import/process-scan.ts';
import type { PackageResult } from '../../../server/test/support/reports.ts';
import { type SessionClient, signInAs } from '../../../server/test/support/session.ts';
import { createTestWorkspace, type TestWorkspace } from '../../../server/test/support/workspace.ts';
import { type Console, type Look, startConsole } from './console.ts';

export interface ScanWorkspace extends TestWorkspace {
  slug: string;
  member: SessionClient;
  /** Imports the waiting reports of the repository, as a worker does. */
  process: (repository: string) => Promise<void>;
}

export interface ScanConsole extends Console {
  createScanWorkspace: (slug: string) => Promise<ScanWorkspace>;
  /** Closed when the test is done. */
  openAs: (
    workspace: ScanWorkspace,
    role: 'admin' | 'member' | 'viewer',
    path: string,
    options?: Partial<Look>,
  ) => Promise<Page>;
}

export async function startScanConsole(): Promise<ScanConsole> {
  const shop = await startConsole({ MERLON_UPLOADS_PER_MINUTE: '0', MERLON_MAX_UPLOAD_MB: '1' });
  const { server } = shop;
  return {
    ...shop,
    createScanWorkspace: async (slug) => {
      const workspace = await createTestWorkspace(server, slug);
      return {
        ...workspace,
        slug,
        member: await signInAs(server, workspace.people.member.user.id),
        process: async (repository) => {
          const { rows } = await server.owner.query<{ id: RepositoryId }>(
            'select id from repository where tenant_id = $1 and full_name = $2',
            [workspace.tenant.id, repository],
          );
          assert.ok(rows[0], repository);
          await processRepository(server, workspace.tenant.id, rows[0].id);
        },
      };
    },
    openAs: async (workspace, role, path, options = {}) => {
      return shop.open({
        userId: workspace.people[role].user.id,
        ...options,
        path: `/w/${workspace.slug}${path}`,
      });
    },
  };
}

export const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3_600_000);

const severities = ['LOW', 'CRITICAL', 'HIGH', 'MEDIUM'];

/** One result for each number in the range. The same number is the same package and advisory. */
export function results(from: number, to: number): PackageResult[] {
  return Array.from({ length: to - from }, (_, n) => ({
    id: `CVE-2030-${1000 + from + n}`,
    name: `lib-${from + n}`,
    version: '1.0.0',
    fixed: '1.0.1',
    severity: severities[(from + n) % 4] ?? 'LOW',
  }));
}

/** A file for `setInputFiles`. */
export function fileOf(name: string, content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { name, mimeType: 'application/json', buffer: Buffer.from(text) };
}
