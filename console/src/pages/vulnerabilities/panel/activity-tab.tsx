/** The comments on a vulnerability, and its history. */
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { Comments } from './comments.tsx';
import { History } from './history.tsx';
import { PanelSection } from './panel-section.tsx';

export function ActivityTab({
  detail,
  onShow,
}: {
  detail: VulnerabilityDetail;
  onShow: (id: string) => void;
}) {
  return (
    <>
      <PanelSection title="Comments">
        <Comments id={detail.id} />
      </PanelSection>
      <PanelSection title="History">
        <History detail={detail} onShow={onShow} />
      </PanelSection>
    </>
  );
}
