/**
 * Shows the requester, the subject, the end and the reason of an exception. For a vulnerability it also shows the
 * severity, the locations and other blocking violations.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Exception } from '../api/exceptions.ts';
import type { ViolationTarget } from '../api/violations.ts';
import { violationsOfQuery, vulnerabilityQuery } from '../api/vulnerabilities.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { SeverityBadge } from './badges.tsx';
import { ExceptionGives } from './exception-labels.tsx';
import { Fact } from './fact.tsx';
import { Loaded } from './loaded.tsx';
import { ReportText, visibleText } from './report-text.tsx';
import { targetTitle } from './target-labels.ts';
import { TimeText } from './time-text.tsx';
import { useInstalled } from './use-installed.ts';
import './section.css';

interface ExceptionFactsProps {
  exception: Exception;
  /** If true, it also names the violations that still block after the approval. */
  isApproving: boolean;
}

export function ExceptionFacts({ exception, isApproving }: ExceptionFactsProps) {
  const { policy, repository, target, violation_id: violation, until, reason } = exception;
  const vulnerability = target !== null && isVulnerability(target) ? target : null;
  return (
    <div>
      <dl className="facts">
        <Fact name="Requested by">
          {exception.requested_by?.display_name ?? 'A removed member'},{' '}
          <TimeText value={exception.requested_at} />
        </Fact>
        <Fact name="Subject">
          {violation === null ? (
            'All violations of the policy in the repository'
          ) : target === null ? (
            'A target that no longer exists'
          ) : vulnerability ? (
            <VulnerabilityLink id={vulnerability.id} title={vulnerability.title} />
          ) : (
            <ReportText>{targetTitle(target, repository.full_name)}</ReportText>
          )}
        </Fact>
        {vulnerability && (
          <Fact name="Severity">
            <SeverityBadge severity={vulnerability.severity} />
          </Fact>
        )}
        <Fact name="Policy">
          {policy.name} in {repository.full_name}
        </Fact>
        <Fact name="Effect">
          <ExceptionGives exception={exception} />
        </Fact>
        <Fact name="Until">{until === null ? 'No end' : <TimeText value={until} as="end" />}</Fact>
        <Fact name="Reason">{visibleText(reason)}</Fact>
      </dl>
      {vulnerability && (
        <VulnerabilityFacts id={vulnerability.id} violation={violation} isApproving={isApproving} />
      )}
    </div>
  );
}

type VulnerabilityTarget = Exclude<ViolationTarget, string[]> & { type: 'vulnerability' };

function isVulnerability(target: ViolationTarget): target is VulnerabilityTarget {
  return !Array.isArray(target) && target.type === 'vulnerability';
}

// The link opens another tab, so that text that was typed here stays.
function VulnerabilityLink({ id, title }: { id: string; title: string }) {
  const { slug } = useWorkspace();
  return (
    <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={{ v: id }} target="_blank" preload={false}>
      <ReportText>{title}</ReportText>
    </Link>
  );
}

interface VulnerabilityFactsProps {
  id: string;
  /** The violation that the exception is about. */
  violation: string | null;
  isApproving: boolean;
}

function VulnerabilityFacts({ id, violation, isApproving }: VulnerabilityFactsProps) {
  const { slug } = useWorkspace();
  const query = useQuery(vulnerabilityQuery(slug, id));
  return (
    <Loaded query={query} noun="the vulnerability" lines={3}>
      {({ identifiers, rule, package: inPackage, fix_version: fix }) => (
        <dl className="facts">
          <Fact name={identifiers.length > 0 ? 'Advisory' : 'Rule'}>
            <ReportText className="mono">{identifiers.join(', ') || rule}</ReportText>
          </Fact>
          {inPackage !== null && (
            <>
              <Fact name="Package">
                <Installed id={id} inPackage={inPackage} />
              </Fact>
              <Fact name="Fixed in">
                {fix === null ? 'No fix is known' : <ReportText className="mono">{fix}</ReportText>}
              </Fact>
            </>
          )}
          <ViolationFacts id={id} violation={violation} isApproving={isApproving} />
        </dl>
      )}
    </Loaded>
  );
}

// The vulnerability's own panel shows all of them.
const versionsShown = 3;

/** Shows the package with the versions that are found, and without versions until they are loaded. */
function Installed({ id, inPackage }: { id: string; inPackage: string }) {
  const found = useInstalled(id);
  const more = found.length - versionsShown;
  return (
    <>
      <ReportText className="mono">{found.slice(0, versionsShown).join(', ') || inPackage}</ReportText>
      {more > 0 && `, and ${more} more`}
    </>
  );
}

function ViolationFacts({ id, violation, isApproving }: VulnerabilityFactsProps) {
  const { slug } = useWorkspace();
  const query = useQuery(violationsOfQuery(slug, id));
  const reference = query.data?.items.find((one) => one.id === violation)?.metadata.reference_ref;
  return (
    <>
      {reference && (
        <Fact name="Reference">
          <ReportText className="mono">{reference}</ReportText>
        </Fact>
      )}
      {isApproving && (
        <Fact name="Still blocked by">
          <Loaded query={query} noun="the other blocking violations" lines={1}>
            {({ items }) =>
              items
                .filter((one) => one.blocking && one.id !== violation)
                .map(({ policy }) => policy.name)
                .join(', ') || 'No other policy'
            }
          </Loaded>
        </Fact>
      )}
    </>
  );
}
