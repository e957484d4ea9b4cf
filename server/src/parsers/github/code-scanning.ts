/**
 * GitHub's code scanning alerts, the list of its REST API. GitHub makes an alert out of SARIF, so an alert is read as
 * the result of SARIF that it was: the same scan gives the same rule, severity, path and package in both formats.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newEvidence } from '../reading/evidence.ts';
import { newRun, severityOfLabel } from '../reading/finding.ts';
import { asRecord, type JsonRecord, recordAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { stableCategory } from '../reading/stable-category.ts';
import { cleanName, safeLinks } from '../reading/text.ts';
import { toolFamily } from '../reading/tools.ts';
import type { Report, ReportFinding, Run, RunOutcome } from '../report.ts';
import { resultReader } from '../sarif/results.ts';
import { alertRows, alertStateOf, firstAlert, outcomeOfList, textAt, warnOfRepositories } from './alerts.ts';

export const githubCodeScanning: Format = {
  name: 'github-code-scanning',
  writesLists: true,
  marks: ['rule', 'tool', 'most_recent_instance', 'instances_url'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const first = firstAlert(json);
  if (recordAt(first, 'rule') === null || recordAt(first, 'tool') === null) return false;
  return recordAt(first, 'most_recent_instance') !== null || textAt(first, 'instances_url') !== null;
}

/** The alerts of one tool in one category. */
interface Analysis {
  tool: string;
  category: string;
  alerts: { record: JsonRecord; pointer: string }[];
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = alertRows(json);
  context.addRows(rows.length, '');
  warnOfRepositories(rows, context);
  const analyses = new Map<string, Analysis>();
  for (const { value, pointer } of rows) {
    const record = asRecord(value);
    if (record === null || recordAt(record, 'rule') === null) {
      context.addUnreadable(
        pointer,
        record === null ? 'The alert is not an object.' : 'The alert has no rule.',
      );
      continue;
    }
    const tool = toolFamily(textAt(recordAt(record, 'tool'), 'name'));
    const category = stableCategory(textAt(recordAt(record, 'most_recent_instance'), 'category') ?? '');
    const key = JSON.stringify([tool, category]);
    const analysis = analyses.get(key) ?? { tool, category, alerts: [] };
    if (!analyses.has(key)) context.addRun(pointer);
    analyses.set(key, analysis);
    analysis.alerts.push({ record, pointer });
  }
  const outcome = outcomeOfList(json, rows, context);
  return newReport(
    githubCodeScanning.name,
    context,
    [...analyses.values()].map((analysis) => readAnalysis(analysis, outcome, context)),
  );
}

function readAnalysis({ tool, category, alerts }: Analysis, outcome: RunOutcome, context: ParseContext): Run {
  const findings: ReportFinding[] = [];
  const rules = alerts.map(({ record }) => ruleOf(recordAt(record, 'rule')));
  const read = resultReader({ tool: { driver: { rules } } }, tool, context);
  const versions = new Set<string>();
  for (const { record, pointer } of alerts) {
    const version = textAt(recordAt(record, 'tool'), 'version');
    if (version !== null) versions.add(version);
    const row = read(resultOf(record), pointer);
    const state = alertStateOf(record, context);
    if ('unreadable' in row) context.addUnreadable(pointer, row.unreadable);
    else if ('skip' in row) context.warn(row.skip);
    else if (!state.isClosed) {
      for (const finding of row) {
        findings.push({ ...finding, ...ownFacts(record, finding, context), suppression: state.suppression });
      }
    }
  }
  const [version] = versions;
  return newRun({
    tool,
    // Alerts keep the version that saw them last.
    toolVersion: version === undefined || versions.size > 1 ? null : cleanName(version, context),
    category: cleanName(category, context),
    outcome,
    findings,
  });
}

/** Returns the rule as SARIF has it. */
function ruleOf(rule: JsonRecord | null): JsonRecord {
  return {
    id: textAt(rule, 'id'),
    name: textAt(rule, 'name'),
    shortDescription: { text: textAt(rule, 'description') },
    fullDescription: { text: textAt(rule, 'full_description') },
    help: { text: textAt(rule, 'help') },
    helpUri: textAt(rule, 'help_uri'),
    defaultConfiguration: { level: textAt(rule, 'severity') },
    properties: { tags: stringsAt(rule, 'tags') },
  };
}

function resultOf(alert: JsonRecord): JsonRecord {
  const instance = recordAt(alert, 'most_recent_instance');
  const location = recordAt(instance, 'location');
  const message =
    textAt(recordAt(instance, 'message'), 'text') ?? textAt(recordAt(alert, 'rule'), 'description');
  return {
    ruleId: textAt(recordAt(alert, 'rule'), 'id') ?? textAt(recordAt(alert, 'rule'), 'name'),
    message: { text: message ?? '' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: textAt(location, 'path') },
          region: { startLine: location?.start_line, endLine: location?.end_line },
        },
      },
    ],
  };
}

/** GitHub keeps the band of the rule's score, which SARIF has as a number. Its other severity is the level of SARIF. */
function ownFacts(alert: JsonRecord, finding: ReportFinding, context: ParseContext): Partial<ReportFinding> {
  const rule = recordAt(alert, 'rule');
  const label = textAt(rule, 'security_severity_level');
  return {
    severity: label === null ? finding.severity : severityOfLabel(label),
    links: safeLinks([textAt(alert, 'html_url'), ...finding.links]),
    evidence: finding.evidence ?? newEvidence({ help: textAt(rule, 'help') }, context),
  };
}
