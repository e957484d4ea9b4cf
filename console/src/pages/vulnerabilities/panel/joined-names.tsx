/** Shows the other names of the vulnerability, with a warning if the decision does not override policies. */
import { Alert } from '@mantine/core';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { ReportText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { PanelSection } from './panel-section.tsx';

export function JoinedNames({ detail }: { detail: VulnerabilityDetail }) {
  const { joined_names: names, decision_overrides_policy: overridesPolicy } = detail;
  if (names.length === 0) return null;
  return (
    <>
      {!overridesPolicy && (
        <Alert color="yellow" role="status" mb="md" title="The decision does not cover everything">
          Findings under another name were joined to it, or no admin has decided. Policies that block still
          apply until an admin decides again. A split separates the findings.
        </Alert>
      )}
      <PanelSection title="Joined by other names">
        <ul className="vuln-plain-list">
          {names.map(({ name, joined_at: at }) => (
            <li key={name}>
              <ReportText className="mono">{name}</ReportText>, <TimeText value={at} />
            </li>
          ))}
        </ul>
      </PanelSection>
    </>
  );
}
