/**
 * The evidence: data flow, chains of packages, the claim of each tool, and why their findings were matched as one
 * vulnerability.
 */
import type { Reporter, VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { SeverityBadge, ToneBadge } from '../../../components/badges.tsx';
import { Note } from '../../../components/note.tsx';
import { ReportText, visibleText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { DataFlowSection, DependencyPathsSection } from './evidence-sections.tsx';
import { matchLabel } from './match-labels.ts';
import { PanelSection } from './panel-section.tsx';

export function EvidenceTab({ detail }: { detail: VulnerabilityDetail }) {
  return (
    <>
      <DataFlowSection detail={detail} />
      <DependencyPathsSection key={detail.id} detail={detail} />
      <PanelSection title="Claims of each tool">
        {detail.reporters.length === 0 ? (
          <Note>No tool reports it any more.</Note>
        ) : (
          <ul className="vuln-reporters">
            {groupEqualClaims(detail.reporters).map(([key, reporters]) => (
              <li key={key}>
                <ReporterLines reporters={reporters} shownTitle={detail.title} />
              </li>
            ))}
          </ul>
        )}
      </PanelSection>
      <PanelSection title="Why it was matched">
        <Matches matches={detail.matches} />
      </PanelSection>
    </>
  );
}

/** Groups a tool's claims on several references, so that equal claims appear once. */
function groupEqualClaims(reporters: Reporter[]): [string, Reporter[]][] {
  return [...Map.groupBy(reporters, ({ ref: _ref, updated_at: _at, ...said }) => JSON.stringify(said))];
}

function ReporterLines({ reporters, shownTitle }: { reporters: Reporter[]; shownTitle: string }) {
  const [reporter] = reporters;
  if (!reporter) return null;
  const { tool, category, live, severity, title, fixed_versions: fixes, cvss_score: cvss } = reporter;
  const latest = reporters.map((one) => one.updated_at).reduce((a, b) => (a > b ? a : b));
  return (
    <>
      <div className="vuln-reporter-head">
        <b>{visibleText(tool)}</b>
        {category !== '' && <ReportText className="vuln-note">{category}</ReportText>}
        <SeverityBadge severity={severity} />
        {cvss !== null && <ToneBadge tone="plain">CVSS {cvss}</ToneBadge>}
        {reporter.verified && <ToneBadge tone="plain">Verified</ToneBadge>}
        {reporter.exploitable && <ToneBadge tone="bad">Exploitable</ToneBadge>}
        {!live && <ToneBadge tone="plain">No longer reported</ToneBadge>}
        <span className="vuln-note">
          <TimeText value={latest} />
        </span>
      </div>
      {title !== shownTitle && (
        <p className="break">
          <ReportText>{title}</ReportText>
        </p>
      )}
      <p className="vuln-note break">
        on <ReportText className="mono">{reporters.map(({ ref }) => ref).join(', ')}</ReportText>
      </p>
      {fixes.length > 0 && (
        <p className="vuln-note break">
          Fixed in <ReportText className="mono">{fixes.join(', ')}</ReportText>
        </p>
      )}
    </>
  );
}

function Matches({ matches }: { matches: VulnerabilityDetail['matches'] }) {
  const groups = [
    ...Map.groupBy(
      matches,
      ({ tool, match_method: method }) => `${visibleText(tool)}: ${matchLabel(method)}`,
    ),
  ];
  if (groups.length === 0) {
    return <Note>It is no longer found anywhere.</Note>;
  }
  return (
    <ul className="vuln-plain-list">
      {groups.map(([label, locations]) => (
        <li key={label}>
          {label}{' '}
          <span className="vuln-note">
            ({locations.length === 1 ? '1 location' : `${locations.length} locations`})
          </span>
        </li>
      ))}
    </ul>
  );
}
