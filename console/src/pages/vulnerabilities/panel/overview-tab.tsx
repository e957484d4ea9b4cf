/** The facts that a decision needs: problem, location, assignee, urgency, fix and policies. */
import { useMemo } from 'react';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { Markdown } from '../../../components/markdown.tsx';
import type { TriageRequest } from '../triage-dialog.tsx';
import { distinctTexts } from './distinct-texts.ts';
import { CodeSection } from './evidence-sections.tsx';
import { Facts } from './facts.tsx';
import { Issues } from './issues.tsx';
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
  const { title, description, evidence } = detail;
  const { help = null, remediation = null } = evidence ?? {};
  const texts = useMemo(
    () => distinctTexts({ title, description, help, remediation }),
    [title, description, help, remediation],
  );
  return (
    <>
      <JoinedNames detail={detail} />
      <Suggestions suggestions={detail.suggestions} onDecide={onSuggested} />
      {title.length > longTitle && <TextSection detail={detail} title="Title" text={title} />}
      <TextSection detail={detail} title="Description" text={texts.description} />
      <CodeSection detail={detail} />
      <TextSection detail={detail} title="What to do" text={texts.remediation} />
      <Violations id={detail.id} />
      <Issues detail={detail} />
      <PanelSection title="Facts">
        <Facts detail={detail} />
      </PanelSection>
      <TextSection detail={detail} title="About the rule" text={texts.help} />
      <OuterLinks links={detail.links} />
    </>
  );
}

interface TextSectionProps {
  detail: VulnerabilityDetail;
  title: string;
  text: string | null;
}

function TextSection({ detail, title, text }: TextSectionProps) {
  if (text === null) return null;
  return (
    <PanelSection title={title}>
      <Markdown key={detail.id} text={text} />
    </PanelSection>
  );
}
