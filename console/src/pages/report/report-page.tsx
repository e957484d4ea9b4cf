/**
 * The status report, for people who do not use the console: figures, trend, SLA and risks of a workspace, an
 * organization or an application. It is printed, or saved as PDF, by the browser.
 */
import { Button, SegmentedControl } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type StatusReport, statusReportQuery } from '../../api/overview.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import { choicesOf } from '../../components/choices.ts';
import { durationText } from '../../components/duration-text.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { RepositoryCells } from '../../components/repository-cells.tsx';
import { Section } from '../../components/section.tsx';
import { useAnySearch } from '../../use-any-search.ts';
import { ReportBreakdown } from './report-breakdown.tsx';
import { ReportFigures } from './report-figures.tsx';
import { WeekBars } from './week-bars.tsx';
import './report.css';

export function ReportPage() {
  const { slug, workspace } = useWorkspace();
  const search = useSearch({ from: '/w/$slug/report' });
  const { set } = useAnySearch();
  const report = useQuery(statusReportQuery(slug, search));
  const subject = search.organization ?? search.application;
  const back =
    subject === undefined
      ? ({ to: '/w/$slug', label: 'Overview' } as const)
      : ({ to: '/w/$slug/report', label: 'Report of the workspace' } as const);
  return (
    <div className="report">
      <PageHeader
        title={`Security report: ${report.data ? nameOf(report.data, workspace) : workspace}`}
        description={report.data && describe(report.data, workspace)}
        back={back}
        actions={
          <>
            {subject === undefined && (
              <SegmentedControl
                size="xs"
                aria-label="Parts of the workspace"
                value={search.by ?? 'organization'}
                onChange={(value) => set({ by: value === 'organization' ? undefined : value })}
                data={choicesOf<NonNullable<typeof search.by>>({
                  organization: 'By organization',
                  application: 'By application',
                })}
              />
            )}
            <Button
              leftSection={<IconPrinter size={16} aria-hidden="true" />}
              onClick={() => window.print()}
              disabled={!report.data}
            >
              Print or save as PDF
            </Button>
          </>
        }
      />
      <Loaded query={report} noun="the report" lines={12}>
        {(data) => (
          <div className="report-body">
            <ReportFigures report={data} />
            <WeekBars weeks={data.weeks} />
            {data.organization === null && data.application === null && (
              <ReportBreakdown slug={slug} by={search.by ?? 'organization'} parts={data.parts} />
            )}
            <Risks slug={slug} report={data} />
            <Repositories slug={slug} report={data} />
            <FixTimes report={data} />
          </div>
        )}
      </Loaded>
    </div>
  );
}

function nameOf({ organization, application }: StatusReport, workspace: string): string {
  return organization?.full_path ?? application?.name ?? workspace;
}

function describe({ organization, application, at, since }: StatusReport, workspace: string): string {
  const kind = organization ? 'Organization in ' : application ? 'Application in ' : '';
  const history = since === null ? 'not scanned yet' : `first scan on ${since}`;
  return `${kind}${workspace}, as of ${at.slice(0, 10)} ${at.slice(11, 16)} UTC, ${history}.`;
}

function Risks({ slug, report: { risks, kev_loaded } }: { slug: string; report: StatusReport }) {
  return (
    <Section
      title="Top risks"
      description="Open, and known to be exploited (KEV), verified, or called exploitable by a tool: the most severe first, of these the oldest."
    >
      <PlainTable
        none={
          kev_loaded
            ? 'Nothing that is open is known to be exploitable.'
            : 'The KEV catalogue is not loaded, and nothing that is open is verified or called exploitable by a tool.'
        }
        headings={[
          'Vulnerability',
          { label: 'Repository', className: 'plain-table-left' },
          'Since',
          'Severity',
        ]}
        rows={risks}
      >
        {({ id, title, severity, introduced_at, repository }) => (
          <tr key={id}>
            <th scope="row">
              <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={{ v: id }} className="break">
                <ReportText>{title}</ReportText>
              </Link>
            </th>
            <td className="plain-table-left break">{repository.full_name}</td>
            <td>{introduced_at.slice(0, 10)}</td>
            <td>
              <SeverityBadge severity={severity} />
            </td>
          </tr>
        )}
      </PlainTable>
    </Section>
  );
}

function Repositories({ slug, report: { repositories } }: { slug: string; report: StatusReport }) {
  const most = Math.max(1, ...repositories.map(({ open }) => open));
  return (
    <Section
      title="Repositories by risk"
      description="The ten with the highest sum of open vulnerabilities, a critical one weighing 125, high 25, medium 5, low and unknown 1."
    >
      <PlainTable
        none="No repository has open vulnerabilities."
        headings={[
          'Repository',
          { label: 'By severity', className: 'plain-table-bar' },
          'Critical',
          'High',
          'Open',
        ]}
        rows={repositories}
      >
        {(repository) => (
          <tr key={repository.id}>
            <RepositoryCells slug={slug} repository={repository} most={most} />
            <td>{(repository.by_severity.critical ?? 0).toLocaleString()}</td>
            <td>{(repository.by_severity.high ?? 0).toLocaleString()}</td>
            <td>{repository.open.toLocaleString()}</td>
          </tr>
        )}
      </PlainTable>
    </Section>
  );
}

function FixTimes({ report: { open, fix_time } }: { report: StatusReport }) {
  return (
    <Section
      title="By severity"
      description="Fixed within 90 days, even if found again since, and how long that took."
    >
      <PlainTable headings={['Severity', 'Open', 'Fixed', 'Mean time to fix']} rows={fix_time}>
        {({ severity, fixed, mean_seconds }) => (
          <tr key={severity}>
            <th scope="row">
              <SeverityBadge severity={severity} />
            </th>
            <td>{(open.by_severity[severity] ?? 0).toLocaleString()}</td>
            <td>{fixed.toLocaleString()}</td>
            <td>{durationText(mean_seconds)}</td>
          </tr>
        )}
      </PlainTable>
    </Section>
  );
}
