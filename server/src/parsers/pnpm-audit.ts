/** The JSON of `pnpm audit`: the advisories of npm, with the paths of pnpm. */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { field, recordAt, stringAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import {
  filteredSeverities,
  isAdvisoryList,
  isPnpmList,
  npmReport,
  readAdvisory,
  readRowMap,
} from './reading/npm-advisories.ts';
import { type Report, ReportError } from './report.ts';

export const pnpmAudit: Format = {
  name: 'pnpm-audit',
  marks: ['advisories', 'metadata'],
  recognises: ({ json }) => isPnpmList(json) || isFailure(json),
  alsoReads: ({ json }) => isAdvisoryList(json),
  parse,
};

/** Without a lock file or the registry, pnpm writes an error instead of a report. */
function isFailure(json: unknown): boolean {
  return (stringAt(recordAt(json, 'error'), 'code') ?? '').startsWith('ERR_PNPM_');
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = recordAt(json, 'advisories') ?? (isFailure(json) ? null : {});
  if (rows === null) {
    const message = 'The run of pnpm audit failed: the report has its error and no result.';
    throw new ReportError('MALFORMED_REPORT', message, { pointer: '/error' });
  }
  const findings = readRowMap(
    rows,
    '/advisories',
    (key, row, pointer) => readAdvisory(key, row, pointer, context),
    context,
  );
  const metadata = field(json, 'metadata');
  // pnpm 11 counts all vulnerabilities, also those that `--audit-level` and `ignoreGhsas` leave out.
  const gaps = filteredSeverities(recordAt(metadata, 'vulnerabilities'), findings);
  return npmReport(pnpmAudit.name, { findings, metadata, gaps }, context);
}
