/**
 * The status report as one file of HTML for people without access to Merlon. It loads nothing and runs no script. It
 * has the same content as the console's page of the report.
 */
import { severities } from '../../domain/packed-state.ts';
import { dayMs } from '../../domain/time.ts';
import type { readStatusReport } from '../overview/status-report.ts';
import type { PartKind } from '../overview/status-report-store.ts';
import { type Html, html } from './html.ts';
import { printedPage, wideTable } from './printed-page.ts';
import { weekChart } from './week-chart.ts';

type StatusReport = Awaited<ReturnType<typeof readStatusReport>>;

/** `by` says whether the parts of the report are organizations or applications. */
export function statusReportHtml(report: StatusReport, workspace: string, by: PartKind): string {
  const { organization, application } = report;
  const title = html`Security report: ${organization?.full_path ?? application?.name ?? workspace}`;
  return printedPage(
    title,
    html`<p>${describe(report, workspace)}</p>
${figures(report)}
${trend(report)}
${organization === null && application === null ? parts(report, by) : ''}
${risks(report)}
${repositories(report)}
${bySeverity(report)}`,
  );
}

function describe({ organization, application, at, since }: StatusReport, workspace: string): string {
  const kind = organization ? 'Organization in ' : application ? 'Application in ' : '';
  const history = since === null ? 'not scanned yet' : `first scan on ${since}`;
  return `${kind}${workspace}, as of ${at.slice(0, 10)} ${at.slice(11, 16)} UTC, ${history}.`;
}

function figures({ open, week, exploitable, kev_loaded, violations, sla }: StatusReport): Html {
  const before = (count: number | null): string =>
    count === null ? 'first weeks of scans' : `${number(count)} in the seven days before`;
  return html`<dl>
${figure('Open vulnerabilities', number(open.total), 'on tracked references')}
${figure('New in seven days', number(week.new), before(week.new_before))}
${figure('Fixed in seven days', number(week.fixed), before(week.fixed_before))}
${figure('Exploitable', number(exploitable), kev_loaded ? 'open, and known to be exploited or verified' : 'open, and verified or called exploitable by a tool; the KEV catalogue is not loaded', exploitable > 0)}
${figure('SLA met', percent(sla.percent), `${number(sla.kept)} of ${number(sla.resolved)} policy violations that were resolved within 90 days, by a fix and not by a decision, were resolved by their due date`)}
${figure('Overdue violations', number(violations.overdue), 'past their due date and not resolved', violations.overdue > 0)}
${figure('Due soon', number(violations.due_soon), 'within seven days')}
${figure('Blocking violations', number(violations.blocking), 'stop a merge')}
</dl>`;
}

function figure(label: string, value: string, note: string, isBad = false): Html {
  return html`<div><dt>${label}</dt><dd class="${isBad ? 'bad' : 'value'}">${value}</dd><dd class="note">${note}</dd></div>`;
}

function trend({ weeks }: StatusReport): Html {
  const about =
    'Weeks run back from today (UTC), 90 days at most, and begin with the first scan. Open is the number at the end of the week.';
  if (weeks.length === 0) return section('Trend by week', about, html`<p>Nothing has been scanned yet.</p>`);
  const rows = weeks.map(
    (week) =>
      html`<tr><th scope="row" class="date">${week.from} to ${week.to}</th>${cells([week.new, week.fixed, week.open])}</tr>`,
  );
  return section(
    'Trend by week',
    about,
    html`<p class="legend">${['open', 'new', 'fixed'].map((series) => html`<span>${keyOf(series)}</span>`)}</p>
${weekChart(weeks)}
${table(['Week', 'New', 'Fixed', 'Open'], rows)}`,
  );
}

function parts({ parts: rows }: StatusReport, by: PartKind): Html {
  const about = 'The twenty with the highest risk. Fixed, mean time to fix and SLA are of 90 days.';
  const columns = [labelOf(by), 'Critical', 'High', 'Open', 'Fixed', 'Mean time to fix', 'SLA met'];
  return section(
    `By ${by}`,
    about,
    rows.length === 0
      ? html`<p>No ${by} has open vulnerabilities.</p>`
      : table(
          columns,
          rows.map(
            ({ name, by_severity: { critical = 0, high = 0 }, open, fixed, mean_seconds, sla }) =>
              html`<tr><th scope="row">${name}</th>${cells([critical, high, open, fixed, duration(mean_seconds), percent(sla.percent)])}</tr>`,
          ),
        ),
  );
}

function risks({ risks: rows, kev_loaded }: StatusReport): Html {
  return section(
    'Top risks',
    'Open, and known to be exploited (KEV), verified, or called exploitable by a tool: the most severe first, of these the oldest.',
    rows.length === 0
      ? html`<p>${kev_loaded ? 'Nothing that is open is known to be exploitable.' : 'The KEV catalogue is not loaded, and nothing that is open is verified or called exploitable by a tool.'}</p>`
      : table(
          ['Vulnerability', 'Repository', 'Since', 'Severity'],
          rows.map(
            ({ title, repository, introduced_at, severity }) =>
              html`<tr><th scope="row">${title}</th><td class="text">${repository.full_name}</td><td class="date">${introduced_at.slice(0, 10)}</td><td class="date">${keyOf(severity)}</td></tr>`,
          ),
        ),
  );
}

function repositories({ repositories: rows }: StatusReport): Html {
  const most = Math.max(1, ...rows.map(({ open }) => open));
  return section(
    'Repositories by risk',
    'The ten with the highest sum of open vulnerabilities, a critical one weighing 125, high 25, medium 5, low and unknown 1.',
    rows.length === 0
      ? html`<p>No repository has open vulnerabilities.</p>`
      : table(
          ['Repository', 'By severity', 'Critical', 'High', 'Open'],
          rows.map(
            ({ full_name, by_severity, open }) =>
              html`<tr><th scope="row">${full_name}</th><td class="bar">${severityBar(by_severity, most)}</td>${cells([by_severity.critical ?? 0, by_severity.high ?? 0, open])}</tr>`,
          ),
        ),
  );
}

function severityBar(counts: Record<string, number>, most: number): Html {
  let x = 0;
  const rects = severities.toReversed().map((severity) => {
    const width = ((counts[severity] ?? 0) / most) * 100;
    x += width;
    return html`<rect class="${severity}" x="${x - width}" width="${width}" height="9"/>`;
  });
  return html`<svg viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}

function bySeverity({ open, fix_time }: StatusReport): Html {
  return section(
    'By severity',
    'Fixed within 90 days, even if found again since, and how long that took.',
    table(
      ['Severity', 'Open', 'Fixed', 'Mean time to fix'],
      fix_time.map(
        ({ severity, fixed, mean_seconds }) =>
          html`<tr><th scope="row">${keyOf(severity)}</th>${cells([open.by_severity[severity] ?? 0, fixed, duration(mean_seconds)])}</tr>`,
      ),
    ),
  );
}

function section(title: string, about: string, content: Html): Html {
  return html`<section>
<h2>${title}</h2>
<p>${about}</p>
${content}
</section>`;
}

function table(columns: string[], rows: Html[]): Html {
  const heads = columns.map(
    (name) => html`<th scope="col"${textColumns.has(name) ? textClass : ''}>${name}</th>`,
  );
  return wideTable(
    columns[0] ?? '',
    html`<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row) => html`${row}\n`)}</tbody>`,
  );
}

const textColumns = new Set(['Repository', 'By severity']);
const textClass = html` class="text"`;

function cells(values: (number | string)[]): Html[] {
  return values.map((value) => html`<td>${typeof value === 'number' ? number(value) : value}</td>`);
}

function number(n: number): string {
  return n.toLocaleString('en');
}

function percent(n: number | null): string {
  return n === null ? '–' : `${n} %`;
}

/** Writes a duration as the console does: 3 h, 2.5 days, 41 days. */
function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const hours = seconds / 3600;
  if (hours < 1) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (hours < 48) return `${Math.round(hours)} h`;
  const days = (seconds * 1000) / dayMs;
  return `${days < 10 ? days.toFixed(1) : number(Math.round(days))} days`;
}

/** The name of a severity or a series, with its colour. */
function keyOf(name: string): Html {
  return html`<svg class="key" width="10" height="10" aria-hidden="true"><rect class="${name}" width="10" height="10"/></svg>${labelOf(name)}`;
}

function labelOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
