/** The metadata of a report, and the times of its steps. */

import type { ScanDetail } from '../../api/scans.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { CopiedFact, Fact } from '../../components/fact.tsx';
import { CommitLink } from '../../components/forge-link.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { toolsLabel } from './labels.ts';

export function ScanFacts({ scan }: { scan: ScanDetail }) {
  const { reference, sha, started_at: startedAt, finished_at: finishedAt } = scan;
  return (
    <Section title="Report">
      <dl className="facts">
        <Fact name="Repository">{scan.repository.full_name}</Fact>
        <Fact name="Reference">{reference.ref}</Fact>
        <Fact name="Commit">
          {sha === null ? (
            'Unknown'
          ) : (
            <>
              <CommitLink repository={scan.repository} sha={sha} />{' '}
              <CopyButton value={sha} label="Copy the commit" size="xs" />
            </>
          )}
        </Fact>
        {scan.file_name !== null && <Fact name="File">{scan.file_name}</Fact>}
        <Fact name="Format">{scan.format === 'auto' ? 'Not known' : scan.format}</Fact>
        <Fact name="Tools">{visibleText(toolsLabel(scan.tools, 20)) || 'Not known'}</Fact>
        <Fact name="Category">{scan.category ?? 'As in the report'}</Fact>
        <Fact name="Source">{sourceLabel(scan.source)}</Fact>
        <Fact name="Scanned">
          <TimeText value={scan.scanned_at} as="datetime" />
        </Fact>
        <Fact name="Uploaded">
          <TimeText value={scan.created_at} as="datetime" />
        </Fact>
        {startedAt !== null && finishedAt !== null && (
          <Fact name="Took">{durationLabel(Date.parse(finishedAt) - Date.parse(startedAt))}</Fact>
        )}
        <CopiedFact name="Scan id" value={scan.id} noun="the scan’s id" />
      </dl>
    </Section>
  );
}

function sourceLabel(source: string | null): string {
  if (source === 'git_history') return 'The history of commits';
  return source === 'current' ? 'The current tree' : 'As in the report';
}

// The API gives times in whole seconds.
function durationLabel(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'Less than a second';
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
