/** The facts of a vulnerability, one a line: the assignee, the decision, the fix, and the risk by feeds and tools. */
import type { ReactNode } from 'react';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Fact } from '../../../components/fact.tsx';
import { OuterLink } from '../../../components/outer-link.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useInstalled } from '../../../components/use-installed.ts';
import { resolutionLabel, sourceLabel, versionLabel } from '../labels.ts';
import { PersonName } from '../person-name.tsx';
import { deciderOf } from './decider.ts';
import { FeedFacts } from './feed-facts.tsx';
import { advisoryAddress, packageAddress, weaknessAddress } from './outer-addresses.ts';
import '../../../components/section.css';

const decidedBy: Record<string, string> = {
  vex: 'a VEX document',
  suppression: 'an ignore file, or the tool’s own review',
};

export function Facts({ detail }: { detail: VulnerabilityDetail }) {
  // A vulnerability in the team's own code has no fix to install, and no feed lists it.
  const isKnownElsewhere = detail.package !== null || detail.identifiers.length > 0;
  return (
    <dl className="facts">
      <Fact name="Assignee">
        {detail.assignee ? (
          <PersonName name={detail.assignee.display_name} email={detail.assignee.email} />
        ) : (
          'Nobody'
        )}
      </Fact>
      {detail.owners.length > 0 && (
        <Fact name="Code owners">
          {detail.owners.map(({ name, team, person }) => team?.name ?? person?.name ?? name).join(', ')}
        </Fact>
      )}
      {detail.decided_by !== null && (
        <Fact name="Decided by">
          <DecidedBy detail={detail} />
          {detail.resolution !== null && `: ${resolutionLabel(detail.resolution).toLowerCase()}`}
          {detail.accepted_until !== null && (
            <>
              , until <TimeText value={detail.accepted_until} as="end" />
            </>
          )}
        </Fact>
      )}
      {detail.package !== null && (
        <Fact name="Package">
          <Named name={detail.package} address={packageAddress(detail.package)} />
        </Fact>
      )}
      {detail.package !== null && <Installed id={detail.id} />}
      {isKnownElsewhere && <KnownElsewhere detail={detail} />}
      {detail.exploitable_at !== null && (
        <Fact name="Exploitable">
          since <TimeText value={detail.exploitable_at} as="date" />
        </Fact>
      )}
      <Fact name="Rule">
        <Named name={detail.rule} address={advisoryAddress(detail.rule)} />
      </Fact>
      {detail.identifiers.length > 0 && (
        <Fact name="Identifiers">{listOf(detail.identifiers, advisoryAddress)}</Fact>
      )}
      {detail.cwes.length > 0 && <Fact name="Weaknesses">{listOf(detail.cwes, weaknessAddress)}</Fact>}
      <Fact name="Source">{sourceLabel(detail.source)}</Fact>
      <Fact name="First seen">
        <TimeText value={detail.introduced_at} as="datetime" />
      </Fact>
      <Fact name="Last change">
        <TimeText value={detail.updated_at} as="datetime" />
      </Fact>
    </dl>
  );
}

function DecidedBy({ detail }: { detail: VulnerabilityDetail }) {
  const by = detail.decided_by ?? '';
  if (by !== 'person') return <>{decidedBy[by] ?? by}</>;
  return <ReportText>{deciderOf(detail) ?? 'somebody here'}</ReportText>;
}

// The locations show all of them.
const versionsShown = 3;

/** Shows the versions of the package in which the vulnerability is live. */
function Installed({ id }: { id: string }) {
  const versions = [...new Set(useInstalled(id).flatMap((purl) => versionLabel(purl) ?? []))];
  if (versions.length === 0) return null;
  const more = versions.length - versionsShown;
  return (
    <Fact name="Installed">
      {listOf(versions.slice(0, versionsShown))}
      {more > 0 && `, and ${more} more`}
    </Fact>
  );
}

function KnownElsewhere({ detail }: { detail: VulnerabilityDetail }) {
  const { fix_version: fix, cvss } = detail;
  return (
    <>
      <Fact name="Fixed in">
        {fix === null ? (
          'No fix is known'
        ) : (
          <>
            <ReportText className="mono break">{fix}</ReportText>{' '}
            <CopyButton value={fix} label="Copy the version" size="xs" />
          </>
        )}
      </Fact>
      <Fact name="CVSS">
        {cvss.score ?? 'Not known'}
        {cvss.vector !== null && <span className="mono vuln-vector break"> {cvss.vector}</span>}
      </Fact>
      <FeedFacts detail={detail} />
    </>
  );
}

// A report may give a vulnerability any number of ids. The server sends the first thousand.
const namesShown = 50;

function listOf(names: string[], addressOf: (name: string) => string | null = () => null): ReactNode {
  const distinct = [...new Set(names)];
  return (
    <>
      {distinct.slice(0, namesShown).map((name, index) => (
        <span key={name} className="break">
          {index > 0 && ', '}
          <Named name={name} address={addressOf(name)} />
        </span>
      ))}
      {distinct.length > namesShown && ' and more'}
    </>
  );
}

/** A name from a report, as a link if it has a page. */
function Named({ name, address }: { name: string; address: string | null }) {
  const text = <ReportText className="mono break">{name}</ReportText>;
  return address === null ? text : <OuterLink href={address}>{text}</OuterLink>;
}
