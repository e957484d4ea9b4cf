/**
 * GitHub's secret scanning alerts, the list of its REST API. GitHub searches the whole history. The alert itself names
 * at most the first location of the secret.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newFinding, newRun } from '../reading/finding.ts';
import { asRecord, field, integerAt, type JsonRecord, recordAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { newReport } from '../reading/rows.ts';
import { wholeSecret, withoutSecrets } from '../reading/secrets.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { Report, ReportFinding } from '../report.ts';
import {
  type AlertState,
  alertRows,
  alertStateOf,
  firstAlert,
  outcomeOfList,
  suppressed,
  textAt,
  warnOfRepositories,
} from './alerts.ts';

export const githubSecretScanning: Format = {
  name: 'github-secret-scanning',
  writesLists: true,
  marks: ['secret_type', 'secret', 'state', 'locations_url'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const first = firstAlert(json);
  if (textAt(first, 'secret_type') === null) return false;
  return ['locations_url', 'secret_type_display_name', 'resolution', 'state', 'number'].some((key) =>
    Object.hasOwn(first ?? {}, key),
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = alertRows(json);
  context.addRows(rows.length, '');
  warnOfRepositories(rows, context);
  const findings: ReportFinding[] = [];
  for (const { value, pointer } of rows) {
    const alert = asRecord(value);
    const type = textAt(alert, 'secret_type') ?? textAt(alert, 'secret_type_display_name');
    if (alert === null || type === null) {
      context.addUnreadable(
        pointer,
        alert === null ? 'The alert is not an object.' : 'The alert has no type of secret.',
      );
      continue;
    }
    const state = resolutionOf(alert, context);
    if (!state.isClosed) {
      findings.push({ ...readAlert(alert, type, pointer, context), suppression: state.suppression });
    }
  }
  return newReport(githubSecretScanning.name, context, [
    newRun({
      tool: 'github-secret-scanning',
      history: true,
      outcome: outcomeOfList(json, rows, context),
      findings,
    }),
  ]);
}

/** A revoked secret opens nothing any more, and GitHub drops the alerts of a pattern that is gone. */
const ended = new Set(['revoked', 'pattern_deleted', 'pattern_edited']);

function resolutionOf(alert: JsonRecord, context: ParseContext): AlertState {
  const resolution = textAt(alert, 'resolution')?.toLowerCase() ?? null;
  const isResolved = textAt(alert, 'state')?.toLowerCase() === 'resolved';
  if (!isResolved && resolution === null) return alertStateOf(alert, context);
  if (resolution !== null && ended.has(resolution)) {
    context.warn('Alerts that GitHub has closed are counted and are no findings.');
    return { isClosed: true };
  }
  const comment = textAt(alert, 'resolution_comment');
  const secret = textAt(alert, 'secret');
  return suppressed(
    resolution,
    comment === null || secret === null ? comment : withoutSecrets(comment, [secret]),
    context,
  );
}

function readAlert(alert: JsonRecord, type: string, pointer: string, context: ParseContext): ReportFinding {
  const written = textAt(alert, 'secret');
  const scrub = (text: string): string => (written === null ? text : withoutSecrets(text, [written]));
  const location = recordAt(alert, 'first_location_detected');
  const path = repositoryPath(textAt(location, 'path'));
  const rule = cleanName(scrub(type), context);
  const name = textAt(alert, 'secret_type_display_name') ?? type;
  const facts = [
    textAt(alert, 'validity') === 'inactive' ? 'GitHub says that the secret no longer works.' : null,
    field(alert, 'publicly_leaked') === true ? 'The secret has been leaked in public.' : null,
    field(alert, 'push_protection_bypassed') === true ? 'The push protection was bypassed.' : null,
  ];
  return newFinding({
    pointer,
    type: 'secret',
    // GitHub gives no severity. A found key counts as working until a person says otherwise.
    severity: 'high',
    title: safeTitle(scrub(name), context) || rule || 'Secret',
    description: safeText(facts.filter((fact) => fact !== null).join(' '), context),
    rule,
    path: path === null ? null : scrub(path),
    line: integerAt(location, 'start_line', 1),
    secret: { value: wholeSecret(written), maskedLine: null },
    links: safeLinks([textAt(alert, 'html_url')]).filter((link) => scrub(link) === link),
    verified: textAt(alert, 'validity') === 'active',
  });
}
