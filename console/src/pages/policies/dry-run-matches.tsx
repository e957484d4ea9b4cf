/**
 * The first matches of the draft, behind one click, so that its author sees whether the condition means what they want.
 */
import { Link } from '@tanstack/react-router';
import type { DryRun } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { SeverityBadge, ToneBadge } from '../../components/badges.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { countOfTargets, targetTitle } from '../../components/target-labels.ts';
import type { DryRunState } from './use-dry-run.ts';

interface DryRunMatchesProps {
  dryRun: DryRunState;
  targetType: string;
}

export function DryRunMatches({ dryRun: { result, isFresh }, targetType }: DryRunMatchesProps) {
  if (result === null || result.items.length === 0) return null;
  const { items, matches, complete } = result;
  return (
    <details className="dry-run-matches" aria-busy={!isFresh}>
      <summary>
        {items.length < matches
          ? `Show the first ${items.length.toLocaleString()} of ${countOfTargets(targetType, matches)}`
          : `Show the ${countOfTargets(targetType, matches)}`}
        {!complete && ' found in time'}
      </summary>
      <ul aria-label="Matches">
        {items.map((match, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: repositories have no id, and the list changes as a whole
          <li key={index}>
            <Match match={match} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Match({ match: { target, repository, ref, blocking } }: { match: DryRun['items'][number] }) {
  const { slug } = useWorkspace();
  const isVulnerability = !Array.isArray(target) && target.type === 'vulnerability';
  const title = targetTitle(target, repository.full_name);
  return (
    <>
      {isVulnerability && <SeverityBadge severity={target.severity} />}
      {isVulnerability ? (
        <Link
          to="/w/$slug/vulnerabilities"
          params={{ slug }}
          search={{ v: target.id }}
          className="break"
          target="_blank"
          title="Opens in a new tab"
        >
          <ReportText>{title}</ReportText>
        </Link>
      ) : (
        <ReportText className="break">{title}</ReportText>
      )}
      <span className="dry-run-matches-where break">
        <ReportText>{[repository.full_name, ref].filter((part) => part !== null).join(', ')}</ReportText>
      </span>
      {blocking && <ToneBadge tone="bad">Would block</ToneBadge>}
    </>
  );
}
