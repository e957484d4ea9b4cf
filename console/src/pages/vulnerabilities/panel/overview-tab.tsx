/** The facts that a decision needs: the assignee, the urgency, the fix, the policies, and the description. */
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import type { TriageRequest } from '../triage-dialog.tsx';
import { Description } from './description.tsx';
import { Facts } from './facts.tsx';
import { JoinedNames } from './joined-names.tsx';
import { OuterLinks } from './outer-links.tsx';
import { PanelSection } from './panel-section.tsx';
import { Suggestions } from './suggestions.tsx';
import { Violations } from './violations.tsx';

interface OverviewTabProps {
  detail: VulnerabilityDetail;
  /** Opens the dialog with the decision that a document suggests. */
  onSuggested: (more: Partial<TriageRequest>) => void;
}

// The head of the panel shows about this much of the title.
const longTitle = 160;

export function OverviewTab({ detail, onSuggested }: OverviewTabProps) {
  return (
    <>
      <JoinedNames detail={detail} />
      <Suggestions suggestions={detail.suggestions} onDecide={onSuggested} />
      {detail.title.length > longTitle && (
        <PanelSection title="Title">
          <Description key={detail.id} text={detail.title} />
        </PanelSection>
      )}
      {detail.description !== null && detail.description.trim() !== '' && (
        <PanelSection title="Description">
          <Description key={detail.id} text={detail.description.trim()} />
        </PanelSection>
      )}
      <Violations id={detail.id} />
      <PanelSection title="Facts">
        <Facts detail={detail} />
      </PanelSection>
      <OuterLinks links={detail.links} />
    </>
  );
}
