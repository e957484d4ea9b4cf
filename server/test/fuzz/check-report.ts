/** Checks the invariants of a parser for any bytes. */
import assert from 'node:assert/strict';
import { newTenantId } from '../../src/domain/ids.ts';
import { severities, types } from '../../src/domain/packed-state.ts';
import { FindingReader } from '../../src/ingest/prepare/finding-reader.ts';
import { prepareReport } from '../../src/ingest/prepare/prepare-report.ts';
import { formatOfBeginning } from '../../src/parsers/choose-format.ts';
import { parseReport } from '../../src/parsers/parse-report.ts';
import { evidenceLimits } from '../../src/parsers/reading/evidence.ts';
import { defaultLimits, maxLinks, maxPathLength, maxTitleLength } from '../../src/parsers/reading/limits.ts';
import { type Report, ReportError, type ReportFinding } from '../../src/parsers/report.ts';

export interface Outcome {
  /** Null means that the format is unknown. */
  format: string | null;
  /** Null means that the report was refused. */
  report: Report | null;
  /** Number of findings, statements and packages. */
  found: number;
}

// This is processor time, because the machine may have other work. A report of this size takes some milliseconds.
const mostMs = 5_000;
const secretKey = Buffer.alloc(32, 1);
// The names of rules, tools and versions are columns of limited length.
const maxNameLength = 500;

/** Throws AssertionError if an invariant fails, and rethrows any error of a parser that is no ReportError. */
export function checkReport(bytes: Uint8Array): Outcome {
  const outcome: Outcome = { format: null, report: null, found: 0 };
  const started = process.cpuUsage();
  try {
    outcome.report = parseReport(bytes);
    outcome.format = outcome.report.format;
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    assert.ok(error.message.length < 2_000, 'a refusal says why, and no more');
    outcome.format = formatOfBeginning(bytes, false, 'auto')?.name ?? null;
  }
  const { report } = outcome;
  if (report !== null) {
    for (const { findings, manifests } of report.runs) {
      for (const finding of findings) checkFinding(finding);
      outcome.found += findings.length + manifests.reduce((sum, { packages }) => sum + packages.length, 0);
    }
    outcome.found += report.statements.length;
    checkCounts(report);
    checkPrepared(report);
  }
  const { user, system } = process.cpuUsage(started);
  const ms = (user + system) / 1_000;
  assert.ok(ms < mostMs, `took ${Math.round(ms)} ms`);
  return outcome;
}

// Each of their rows is one finding. In other formats a row may hold several.
const oneToOne = new Set(['sarif', 'trivy']);

/** Every row is a finding, unreadable, or skipped with a warning. */
function checkCounts({ format, read, runs, unreadable, warnings }: Report): void {
  if (!oneToOne.has(format)) return;
  // A row with several locations gives a finding for each.
  const pointers = new Set(runs.flatMap(({ findings }) => findings.map(({ pointer }) => pointer)));
  const rows = pointers.size + unreadable.length;
  assert.ok(rows <= read, `${rows} rows come out of ${read}`);
  assert.ok(
    rows === read || warnings.length > 0,
    `${read - rows} of ${read} rows are lost without a warning`,
  );
}

function checkFinding(finding: ReportFinding): void {
  const { pointer, type, severity, title, description, rule, path, line, cvss, cwes, links, secret } =
    finding;
  const at = (what: string): string => `${pointer}: ${what}`;
  assert.ok(types.includes(type) && severities.includes(severity), at('type and severity are known'));
  assert.ok(title !== '' && title.length <= maxTitleLength, at(`the title has ${title.length} characters`));
  assert.ok((description?.length ?? 0) <= defaultLimits.maxTextLength, at('the description is limited'));
  assert.ok(rule.length <= maxNameLength, at('the rule is limited'));
  assert.ok(path === null || (path !== '' && path.length <= maxPathLength), at('the path is limited'));
  assert.ok(path === null || !/(^|\/)\.\.(\/|$)/.test(path), at('the path stays inside'));
  assert.ok(line === null || (Number.isInteger(line) && line >= 1 && line < 2 ** 31), at(`line ${line}`));
  assert.ok(cvss === null || (cvss.score >= 0 && cvss.score <= 10), at(`score ${cvss?.score}`));
  assert.ok(
    cwes.every((cwe) => /^CWE-[0-9]{1,10}$/.test(cwe)),
    at(`CWEs ${cwes.join()}`),
  );
  assert.ok(links.length <= maxLinks, at('links are limited'));
  assert.ok(
    links.every((link) => /^https?:\/\//i.test(link)),
    at('a link is one of the web'),
  );
  assert.equal(type === 'secret', secret !== null, at('a secret has a secret'));
  const { snippet, dataFlow, help, dependencyPaths } = finding.evidence ?? {};
  assert.ok((snippet?.text.length ?? 0) <= evidenceLimits.snippetLength, at('the snippet is limited'));
  assert.ok((dataFlow?.length ?? 0) <= evidenceLimits.steps, at('the data flow is limited'));
  assert.ok((help?.length ?? 0) <= evidenceLimits.helpLength, at('the help is limited'));
  assert.ok((dependencyPaths?.length ?? 0) <= evidenceLimits.dependencyPaths, at('the paths are limited'));
}

// The form of JSON.stringify for a control character other than tab and line feed, and for half a character.
const unstorable = /\\u00(?:0[0-8bce-f]|1[0-9a-f]|7f)|\\u00[89][0-9a-f]|\\b|\\f|\\r|\\ud[89a-f][0-9a-f]{2}/;

/** The output of the parser's thread can be stored and holds no secret. */
function checkPrepared(report: Report): void {
  // The findings are taken out of the runs, which are compared later.
  const copy = { ...report, runs: report.runs.map((run) => ({ ...run })) };
  const { runs, helps, ...rest } = prepareReport(copy, secretKey);
  const written = [
    JSON.stringify(rest),
    JSON.stringify([...helps]),
    ...runs.flatMap(({ findings, ...run }) => [
      JSON.stringify(run),
      ...writtenOf(new FindingReader(findings, helps, newTenantId())),
    ]),
  ].join('\n');
  const found = unstorable.exec(written.replaceAll('\\\\', ''));
  assert.equal(
    found,
    null,
    `cannot be stored: ${found && written.slice(found.index - 80, found.index + 20)}`,
  );
  for (const { findings } of report.runs) {
    for (const { secret, pointer } of findings) {
      const value = secret?.value ?? '';
      assert.ok(
        !value.startsWith(canary) || !written.includes(value),
        `${pointer}: a secret leaves the parser`,
      );
    }
  }
}

function writtenOf(findings: FindingReader): string[] {
  const { ordinals } = findings;
  // The content of evidence is JSON already, so it is searched as it is stored.
  const contents = findings.evidenceOf(ordinals).flatMap((evidence) => evidence?.content ?? []);
  return [JSON.stringify(findings.get(ordinals)), ...contents];
}

/** The beginning of each planted secret. It looks like no known secret, so that no pattern masks it. */
export const canary = 'mockingbird-';
