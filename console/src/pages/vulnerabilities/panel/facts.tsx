/** The facts of a vulnerability, one a line: the person, the decision, the fix, what feeds and tools say of its risk. */
import type { ReactNode } from 'react';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { ToneBadge } from '../../../parts/badges.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { ReportText } from '../../../parts/report-text.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { PersonName } from '../person-name.tsx';
import { percent, resolutionWord, sourceWord } from '../words.ts';
import '../../../parts/section.css';

const decidedBy: Record<string, string> = {
  person: 'somebody here',
  vex: 'a VEX document',
  suppression: 'an ignore file, or the tool’s own review',
};

export function Facts({ detail }: { detail: VulnerabilityDetail }) {
  // Code of one's own has no fix to install, and no feed knows it.
  const isKnownElsewhere = detail.package !== null || detail.identifiers.length > 0;
  return (
    <dl className="facts">
      <Fact name="Assignee">{detail.assignee ? <PersonName person={detail.assignee} /> : 'Nobody'}</Fact>
      {detail.decided_by !== null && (
        <Fact name="Decided by">
          {decidedBy[detail.decided_by] ?? detail.decided_by}
          {detail.resolution !== null && `: ${resolutionWord(detail.resolution).toLowerCase()}`}
          {detail.accepted_until !== null && (
            <>
              , until <TimeText value={detail.accepted_until} as="date" />
            </>
          )}
        </Fact>
      )}
      {detail.package !== null && (
        <Fact name="Package">
          <ReportText className="mono break">{detail.package}</ReportText>
        </Fact>
      )}
      {isKnownElsewhere && <KnownElsewhere detail={detail} />}
      {detail.exploitable_at !== null && (
        <Fact name="Exploitable">
          since <TimeText value={detail.exploitable_at} as="date" />
        </Fact>
      )}
      <Fact name="Rule">
        <ReportText className="mono break">{detail.rule}</ReportText>
      </Fact>
      {detail.identifiers.length > 0 && <Fact name="Identifiers">{listOf(detail.identifiers)}</Fact>}
      {detail.cwes.length > 0 && <Fact name="Weaknesses">{listOf(detail.cwes)}</Fact>}
      <Fact name="Source">{sourceWord(detail.source)}</Fact>
      <Fact name="First seen">
        <TimeText value={detail.introduced_at} as="datetime" />
      </Fact>
      <Fact name="Last change">
        <TimeText value={detail.updated_at} as="datetime" />
      </Fact>
    </dl>
  );
}

function KnownElsewhere({ detail: { fix_version: fix, cvss, epss, kev } }: { detail: VulnerabilityDetail }) {
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
      <Fact name="EPSS">
        {epss === null
          ? 'Not known'
          : `${percent(epss.score)} within 30 days, percentile ${(epss.percentile * 100).toFixed(1)}`}
      </Fact>
      <Fact name="Known exploited">{kev === null ? 'Not in the KEV catalogue' : <Kev kev={kev} />}</Fact>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Kev({ kev }: { kev: NonNullable<VulnerabilityDetail['kev']> }) {
  return (
    <>
      In the KEV catalogue since {kev.added_on}
      {kev.due_on !== null && `, to be fixed by ${kev.due_on}`}{' '}
      {kev.ransomware && <ToneBadge tone="bad">Ransomware</ToneBadge>}
    </>
  );
}

function listOf(names: string[]): ReactNode {
  return [...new Set(names)].map((name, index) => (
    <span key={name} className="mono break">
      {index > 0 && ', '}
      <ReportText>{name}</ReportText>
    </span>
  ));
}
