/**
 * The documents that a manufacturer sends about an actively exploited vulnerability, filled with what is known here. A
 * field that only the company can fill says so. The fields are those of Article 14(2) of Regulation (EU) 2024/2847.
 */
import { type CraRow, findCraNotification } from '../../actions/cra/cra-store.ts';
import type { Tx } from '../../db/database.ts';
import { type CraStep, craClock, craSteps } from '../../domain/cra.ts';
import { orNotFound } from '../../domain/errors.ts';
import { getId } from '../../domain/ids.ts';
import { type Status, unpackState } from '../../domain/packed-state.ts';
import { timestamp } from '../../http/schema.ts';
import { findApplication } from '../../inventory/applications/store.ts';
import { vectorOfScore } from '../../parsers/reading/cvss.ts';
import { type Html, html } from '../printed/html.ts';
import { printedPage, wideTable } from '../printed/printed-page.ts';
import {
  type AffectedRow,
  findKevEntry,
  type KevRow,
  listAffectedVulnerabilities,
} from './cra-document-store.ts';

const titles: Record<CraStep, string> = {
  early_warning: 'Early warning of an actively exploited vulnerability',
  notification: 'Notification of an actively exploited vulnerability',
  final_report: 'Final report on an actively exploited vulnerability',
};

const shownAffected = 100;

interface Known {
  row: CraRow;
  description: string | null;
  kev: KevRow | undefined;
  affected: AffectedRow[];
}

/** The document of a step as HTML. Throws 404 for an unknown product, and for a CVE that it has no notification of. */
export async function craDocument(
  tx: Tx,
  { application: text, cve, step }: { application: string; cve: string; step: CraStep },
  now: Date,
): Promise<string> {
  const id = getId('application', text);
  const row = orNotFound(await findCraNotification(tx, id, cve, now));
  const application = orNotFound(await findApplication(tx, id));
  const kev = await findKevEntry(tx, cve);
  const affected = await listAffectedVulnerabilities(tx, id, cve, shownAffected);
  const known = { row, description: application.description, kev, affected };
  const fields = [
    ...earlyWarning(known),
    ...(step === 'early_warning' ? [] : notification(known)),
    ...(step === 'final_report' ? finalReport(known) : []),
  ];
  const { dueAt, sentAt } = craClock(step, row, now);
  const { not_reportable_reason: reason } = row;
  const due =
    reason !== null
      ? `not to be reported: ${reason}`
      : sentAt
        ? `sent ${timestamp(sentAt)}`
        : dueAt
          ? `due ${timestamp(dueAt)}`
          : 'no measure recorded yet';
  return printedPage(
    html`${titles[step]}: ${cve} in ${application.name}`,
    html`<p>Regulation (EU) 2024/2847, ${craSteps[step].article}; ${due}. Prepared on ${now.toISOString().slice(0, 10)}.</p>
<table class="fields">
${fields.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>\n`)}</table>
${affectedTable(affected)}`,
  );
}

type Field = [label: string, value: Html | string];

const toComplete = (subject: string): Html => html`<span class="missing">To be completed: ${subject}</span>`;

function earlyWarning({ row, description, kev }: Known): Field[] {
  return [
    ['Manufacturer', toComplete('name, address, contact')],
    ['Product', description === null ? row.application : `${row.application}\n${description}`],
    ['Vulnerability', row.cve],
    ['Aware since', timestamp(row.aware_at)],
    [
      'Evidence of exploitation',
      kev
        ? `In CISA's catalogue of known exploited vulnerabilities since ${kev.added_on.toISOString().slice(0, 10)}: ${kev.name} (${kev.vendor} ${kev.product})`
        : toComplete('what shows that the vulnerability is exploited'),
    ],
    ['Member States where the product is available', toComplete('list of Member States')],
  ];
}

function notification({ row, kev, affected }: Known): Field[] {
  const [first] = affected;
  const fixes = [
    ...new Set(
      affected.flatMap(({ package: name, fix_version: fix }) => (fix && name ? [`${name}: ${fix}`] : [])),
    ),
  ];
  const cwes = [...new Set(affected.flatMap((one) => one.cwes))];
  return [
    [
      'Nature of the vulnerability',
      [row.title ?? kev?.name, cwes.join(', '), first?.description].filter(Boolean).join('\n') ||
        toComplete('description'),
    ],
    ['Nature of the exploit', toComplete('how the vulnerability is exploited, as far as it is known')],
    [
      'Measures taken',
      row.measure_at === null
        ? toComplete('corrective or mitigating measures, with their times')
        : `A measure is available since ${timestamp(row.measure_at)}.`,
    ],
    [
      'Measures that users can take',
      fixes.length > 0
        ? `Components are fixed in these versions:\n${fixes.join('\n')}`
        : toComplete('measures'),
    ],
    ['Sensitivity of this information', toComplete('how sensitive the manufacturer considers it')],
  ];
}

function finalReport({ row, kev, affected }: Known): Field[] {
  const scored = affected.filter(({ cvss_score: score }) => score !== null);
  const highest = Math.max(...scored.map(({ cvss_score: score }) => score ?? 0));
  const vectors = scored.map(({ cvss_vector: vector }) => vectorOfScore(highest, vector));
  const vector = vectors.find((one) => one !== null);
  const score = scored.length === 0 ? '' : `, CVSS ${highest}${vector ? ` (${vector})` : ''}`;
  return [
    ['Severity', row.severity === null ? toComplete('severity') : `${row.severity}${score}`],
    ['Impact', toComplete('impact of the vulnerability on the product and its users')],
    [
      'Malicious actor',
      kev?.ransomware
        ? 'CISA knows of its use in ransomware campaigns.'
        : toComplete('information about the actor, where available'),
    ],
    ['Security update or other measures', toComplete('details of the update that users get')],
  ];
}

const decidedStates: Partial<Record<Status, string>> = {
  accepted: 'present, risk accepted',
  ignored: 'present, will not be fixed',
  rejected: 'present, rejected under another name',
};

function stateOf({ packed_state: packedState, is_present: isPresent }: AffectedRow): string {
  if (!isPresent) return 'not present any more';
  return decidedStates[unpackState(packedState).status] ?? 'open';
}

function affectedTable(affected: AffectedRow[]): Html {
  if (affected.length === 0)
    return html`<p>No report has found the vulnerability in a repository of the product.</p>`;
  const rows = affected.map(
    (one) =>
      html`<tr><th scope="row">${one.full_name}</th><td class="text">${one.package ?? one.title}</td><td class="date">${one.fix_version ?? '–'}</td><td class="date">${timestamp(one.introduced_at)}</td><td class="date">${stateOf(one)}</td></tr>\n`,
  );
  const about = affected.length === shownAffected ? `The first ${shownAffected}.` : '';
  const title = 'Affected parts of the product';
  const table = html`<thead><tr><th scope="col">Repository</th><th scope="col" class="text">Component</th><th scope="col">Fixed in</th><th scope="col">Found</th><th scope="col">State</th></tr></thead>
<tbody>
${rows}</tbody>`;
  return html`<h2>${title}</h2>
<p>${about}</p>
${wideTable(title, table)}`;
}
