/**
 * The JSON of `govulncheck -format json`: a stream of messages (config, progress, SBOM, osv, finding), one after
 * another, one per line, or in an array. Findings are made in `findings.ts`.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import { firstJsonRecord, readJsonValues } from '../reading/json-lines.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest, packageOfName } from '../reading/packages.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type { Report, ReportInventoryPackage } from '../report.ts';
import { type FindingMessage, mergeMessages, readMessage } from './findings.ts';
import { outcomeOfStream } from './outcome.ts';

export const govulncheck: Format = {
  name: 'govulncheck',
  marks: ['config', 'progress', 'SBOM', 'osv', 'finding'],
  recognises,
  parse,
};

function recognises(document: ReportDocument): boolean {
  const first = firstJsonRecord(document);
  if (first === null || Object.keys(first).length !== 1) return false;
  const config = recordAt(first, 'config');
  if (config !== null) {
    return (
      stringAt(config, 'protocol_version') !== null || stringAt(config, 'scanner_name') === 'govulncheck'
    );
  }
  return (
    Array.isArray(field(recordAt(first, 'SBOM'), 'modules')) ||
    Array.isArray(field(recordAt(first, 'finding'), 'trace')) ||
    stringAt(recordAt(first, 'osv'), 'schema_version') !== null
  );
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const values = readJsonValues(document, context);
  const records = new Map<string, JsonRecord>();
  const messages: FindingMessage[] = [];
  const modules: ReportInventoryPackage[] = [];
  let config: JsonRecord | null = null;
  for (const { value, pointer } of values) {
    config ??= recordAt(value, 'config');
    const osv = recordAt(value, 'osv');
    const id = stringAt(osv, 'id');
    if (osv !== null && id !== null) records.set(cleanName(id, context), osv);
    modules.push(...modulesOf(recordAt(value, 'SBOM'), context));
    const finding = field(value, 'finding');
    if (finding === undefined) continue;
    context.addRows(1, pointer);
    const message = readMessage(finding, `${pointer}/finding`, context);
    if (message !== null) messages.push(message);
    else context.addUnreadable(pointer, 'The finding has no OSV id or no module.');
  }
  const mode = stringAt(config, 'scan_mode');
  // A source scan covers the module of its go.mod. A binary has no file in the repository.
  const manifest = mode === null || mode === 'source' ? 'go.mod' : null;
  if (stringAt(config, 'scan_level') !== null && stringAt(config, 'scan_level') !== 'symbol') {
    context.warn(
      'govulncheck did not look at calls: nothing of it says whether a vulnerability can be reached.',
    );
  }
  return newReport(govulncheck.name, context, [
    newRun({
      tool: 'govulncheck',
      toolVersion: cleanName(stringAt(config, 'scanner_version'), context),
      outcome: outcomeOfStream(values, context),
      findings: mergeMessages(messages, records, manifest, context),
      manifests: modules.length === 0 ? [] : [newManifest(manifest ?? '.', modules)],
    }),
  ]);
}

/** Returns the modules with a version. The module without one is the scanned module itself. */
function modulesOf(sbom: JsonRecord | null, context: ParseContext): ReportInventoryPackage[] {
  const modules: ReportInventoryPackage[] = [];
  for (const row of arrayAt(sbom, 'modules')) {
    const version = stringAt(row, 'version');
    const named = packageOfName({ type: 'golang', namespace: null }, stringAt(row, 'path'), version, context);
    if (named !== null && version !== null) modules.push({ ...named, licenses: [], direct: null });
  }
  return modules;
}
