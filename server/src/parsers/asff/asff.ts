/**
 * The AWS Security Finding Format: the report, its runs, and whether a row is open. One report may hold findings of
 * several products, each of which is a run. A row's `Id` is never its identity, because Trivy writes one for several
 * packages. Findings are read in `findings.ts`, and Trivy's in `trivy-rows.ts`.
 */
import type { Format } from '../format.ts';
import {
  accountCategory,
  addUnchecked,
  type CloudRuns,
  cloudRows,
  cloudRun,
  cloudTool,
  firstCloudRow,
  isEmptyList,
  runsOrEmptyRun,
} from '../reading/cloud-rows.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { imageCategory, parseImage, splitTarget } from '../reading/images.ts';
import { arrayAt, asRecord, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { safeText } from '../reading/text.ts';
import type { Report, ReportFinding } from '../report.ts';
import { readAsffFinding } from './findings.ts';
import { readTrivyRow } from './trivy-rows.ts';

export const asff: Format = {
  name: 'asff',
  writesLists: true,
  marks: ['Findings', 'SchemaVersion', 'ProductArn', 'AwsAccountId'],
  recognises,
  alsoReads: (document) => isEmptyList(document, 'findings'),
  parse,
};

function recognises(document: ReportDocument): boolean {
  const first = firstCloudRow(document);
  // Only Security Hub writes this list with a capital letter.
  if (first === null) return isEmptyList(document, 'Findings');
  if (Object.keys(first).length === 0) return false;
  return (
    (stringAt(first, 'ProductArn') !== null || stringAt(first, 'AwsAccountId') !== null) &&
    (stringAt(first, 'GeneratorId') !== null || stringAt(first, 'SchemaVersion') !== null)
  );
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const { values, outcome } = cloudRows(document, context);
  const image = imageOf(values.map(({ value }) => value));
  const runs: CloudRuns = new Map();
  for (const { value, pointer } of values) {
    const record = asRecord(value);
    if (record === null) {
      context.addUnreadable(pointer, 'The finding is not an object.');
      continue;
    }
    const tool = toolOf(record);
    const category =
      tool === 'trivy' ? imageCategory(image?.name ?? '') : accountCategory(stringAt(record, 'AwsAccountId'));
    const toolVersion = stringAt(recordAt(record, 'ProductFields'), 'ProviderVersion');
    const closed = closedReason(record);
    const row = closed === null ? readRow(record, pointer, { tool, image }, context) : [];
    if (row === null) {
      context.addUnreadable(pointer, 'The finding has neither a title nor a package with a name.');
      continue;
    }
    if (closed !== null) context.warn(closed);
    const run = cloudRun(runs, { tool, category, toolVersion }, context);
    if (closed === null && complianceOf(record) === 'NOT_AVAILABLE') {
      addUnchecked(run, row, context);
      continue;
    }
    const suppression = suppressionOf(record, tool, context);
    for (const finding of row) run.findings.push({ ...finding, suppression });
  }
  return newReport(
    asff.name,
    context,
    runsOrEmptyRun(runs, 'aws-security-hub', outcome).map((run) =>
      run.tool === 'trivy' ? { ...run, image: parseImage(image?.name ?? null) } : run,
    ),
  );
}

function readRow(
  record: JsonRecord,
  pointer: string,
  { tool, image }: { tool: string; image: ReturnType<typeof splitTarget> },
  context: ParseContext,
): ReportFinding[] | null {
  return tool === 'trivy'
    ? readTrivyRow(record, pointer, image, context)
    : readAsffFinding(record, pointer, tool, context);
}

/** A provider of its own names itself in the fields of the product. */
function toolOf(record: JsonRecord): string {
  const fields = recordAt(record, 'ProductFields');
  const product =
    stringAt(fields, 'ProviderName') ??
    stringAt(fields, 'Product Name') ??
    stringAt(record, 'ProductName') ??
    stringAt(fields, 'aws/securityhub/ProductName') ??
    stringAt(record, 'ProductArn')?.split('/').at(-1);
  return cloudTool(product ?? 'Security Hub');
}

function closedReason(record: JsonRecord): string | null {
  if (complianceOf(record) === 'PASSED') return 'Checks that passed are counted and are no findings.';
  if (stringAt(record, 'RecordState') === 'ARCHIVED') {
    return 'Findings that are archived are counted and are no findings.';
  }
  return workflowOf(record) === 'RESOLVED'
    ? 'Findings that are resolved are counted and are no findings.'
    : null;
}

function complianceOf(record: JsonRecord): string | null {
  return stringAt(recordAt(record, 'Compliance'), 'Status');
}

function workflowOf(record: JsonRecord): string | null {
  return stringAt(recordAt(record, 'Workflow'), 'Status') ?? stringAt(record, 'WorkflowState');
}

function suppressionOf(
  record: JsonRecord,
  tool: string,
  context: ParseContext,
): ReportFinding['suppression'] {
  const verification = stringAt(record, 'VerificationState');
  // Prowler writes this instead of FAILED for a check on its mute list.
  const isMuted = tool === 'prowler' && complianceOf(record) === 'WARNING';
  const reason =
    workflowOf(record) === 'SUPPRESSED'
      ? 'Suppressed in AWS Security Hub.'
      : verification === 'FALSE_POSITIVE' || verification === 'BENIGN_POSITIVE'
        ? 'Marked as a false positive.'
        : isMuted
          ? 'Muted in Prowler.'
          : null;
  if (reason === null) return null;
  const note = stringAt(recordAt(record, 'Note'), 'Text');
  return { by: 'file', reason: safeText(note ?? reason, context), expiresAt: null };
}

/** Trivy names the image and its system in the target of system packages. */
function imageOf(rows: readonly unknown[]): { name: string; system: string } | null {
  for (const row of rows) {
    const target = stringAt(arrayAt(row, 'Resources')[0], 'Id');
    const image = target === null ? null : splitTarget(target);
    if (image !== null) return image;
  }
  return null;
}
