/** One scan: its progress, the reasons why it blocks, its changes, its unreadable rows, and its series. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useScanEvents } from '../../api/scan-events.ts';
import { hasVerdict, isFinal, type ScanDetail, scanQuery } from '../../api/scans.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge, VerdictBadge } from '../../components/badges.tsx';
import { ReferenceForgeLink } from '../../components/forge-link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NothingChecked } from '../../components/nothing-checked.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { referenceName } from '../../reference-name.ts';
import { ChangedVulnerabilities } from './changed-vulnerabilities.tsx';
import { failureText, progressLabel, titleOf } from './labels.ts';
import { ScanCountList } from './scan-counts.tsx';
import { ScanFacts } from './scan-facts.tsx';
import { ScanSeriesList } from './scan-series-list.tsx';
import { ScanKind, ScanProgress } from './scan-status.tsx';
import { ScanVerdict } from './scan-verdict.tsx';
import { Unreadable } from './unreadable.tsx';
import './scans.css';

export function ScanPage() {
  const { slug } = useWorkspace();
  const { scan: id } = useParams({ from: '/w/$slug/scans/$scan' });
  const query = useQuery(scanQuery(slug, id));
  useScanEvents(slug);
  const scan = query.data;
  return (
    <>
      <PageHeader
        title={scan ? titleOf(scan) : 'Scan'}
        description={
          scan && (
            <span className="break">
              {scan.repository.full_name}, {scan.reference.ref}{' '}
              <ReferenceForgeLink repository={scan.repository} reference={scan.reference} />
            </span>
          )
        }
        back={{ to: '/w/$slug/scans', label: 'Scans' }}
        aside={
          scan && (
            <span className="scan-status" role="status">
              <StatusBadge status={scan.status} />
              {hasVerdict(scan) && <VerdictBadge verdict={scan.verdict} />}
              <ScanKind scan={scan} />
            </span>
          )
        }
        actions={scan && <UploadAnotherLink slug={slug} scan={scan} />}
      />
      <Loaded query={query} noun="the scan" lines={10}>
        {(shown) => (
          <Stack gap="md">
            <ScanProgressOrError scan={shown} />
            {hasVerdict(shown) && shown.verdict === 'pass' && <NothingChecked />}
            <ScanVerdict slug={slug} scan={shown} />
            {shown.counts && <ScanCountList slug={slug} scan={shown} counts={shown.counts} />}
            <ChangedVulnerabilities slug={slug} scan={shown} />
            <Warnings warnings={shown.warnings} />
            <Unreadable scan={shown} />
            <ScanSeriesList slug={slug} scan={shown} />
            <ScanFacts scan={shown} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** Shows the progress while the scan runs, and the reason if it failed. */
function ScanProgressOrError({ scan }: { scan: ScanDetail }) {
  if (!isFinal(scan)) {
    return (
      <Section title="In progress">
        <Stack gap="xs">
          <Text size="sm">{progressLabel(scan)}</Text>
          <ScanProgress scan={scan} wide />
        </Stack>
      </Section>
    );
  }
  if (scan.error === null) {
    return scan.dry_run ? (
      <Alert color="petrol" title="A dry run">
        The numbers show what the report would change. Nothing has been changed.
      </Alert>
    ) : null;
  }
  const { code, message, line, pointer } = scan.error;
  const { title, advice } = failureText(code);
  return (
    <Alert color="red" title={title} role="alert">
      <p className="scan-failure break">{visibleText(message)}</p>
      {(line !== null || pointer !== null) && (
        <p className="scan-failure break">
          Where: {line !== null && `line ${line}`}
          {line !== null && pointer !== null && ', '}
          {pointer !== null && (
            <span className="mono">{pointer === '' ? 'the whole document' : visibleText(pointer)}</span>
          )}
        </p>
      )}
      <p className="scan-failure">Nothing of it has been kept. {advice}</p>
    </Alert>
  );
}

function UploadAnotherLink({ slug, scan }: { slug: string; scan: ScanDetail }) {
  const { may } = useWorkspace();
  if (!may('member') || !isFinal(scan)) return null;
  const { repository, reference } = scan;
  return (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} />}
      renderRoot={(props) => (
        <Link
          to="/w/$slug/scans/upload"
          params={{ slug }}
          search={{ repo: repository.full_name, ref: referenceName(reference) }}
          {...props}
        />
      )}
    >
      Upload another
    </Button>
  );
}

function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Section title="Warnings" description="The report was imported with these warnings.">
      <ul className="scan-warnings">
        {warnings.map((warning) => (
          <li key={warning} className="break">
            {visibleText(warning)}
          </li>
        ))}
      </ul>
    </Section>
  );
}
