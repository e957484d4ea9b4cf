/** People, workspaces, keys and reports for tests, created like by an operator. */

import { Readable } from 'node:stream';
import {
  type CanaryWorkspace,
  createCanaryKey,
  createCanaryWorkspace,
  createCanaryWorkspaceKey,
  principalAs,
} from '../../src/doctor/isolation/canary-workspace.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { type ReportFile, reportFile } from '../../src/ingest/upload/import-files.ts';
import type { ReportInput } from '../../src/ingest/upload/intake.ts';

export {
  type CanaryWorkspace as TestWorkspace,
  createCanaryKey as createTestKey,
  createCanaryWorkspace as createTestWorkspace,
  createCanaryWorkspaceKey as createTestWorkspaceKey,
  principalAs,
};

type Told = Omit<ReportInput, 'reference' | 'repository'>;

/** A report of `acme/shop` on main, now, unless the options say otherwise. */
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
