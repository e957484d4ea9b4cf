/** The first lines of the panel: severity, status and location. The list already has them. */
import { Group } from '@mantine/core';
import { IconBolt, IconFlame, IconShieldCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Vulnerability, VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { SeverityBadge, ToneBadge } from '../../../components/badges.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ReferenceForgeLink, useForgeRepository } from '../../../components/forge-link.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { VulnerabilityStatus } from '../../../components/vulnerability-status.tsx';
import { locationLabel, resolutionLabel, typeLabel } from '../labels.ts';
import { FileLink } from './file-link.tsx';

export function Summary({ item, detail }: { item: Vulnerability; detail: VulnerabilityDetail | undefined }) {
  const { slug } = useWorkspace();
  const repository = useForgeRepository(item.repository.id);
  return (
    <div className="vuln-summary-lines">
      <Group gap={6}>
        <SeverityBadge severity={item.severity} />
        <VulnerabilityStatus
          status={item.status}
          liveOn={detail?.references.find(({ status, active }) => active && status === 'open')}
        />
        {item.resolution !== null && item.resolution !== item.status && (
          <ToneBadge tone="plain">{resolutionLabel(item.resolution)}</ToneBadge>
        )}
        {detail?.kev && (
          <ToneBadge tone="bad" icon={IconFlame}>
            KEV
          </ToneBadge>
        )}
        {item.exploitable_at !== null && (
          <ToneBadge tone="bad" icon={IconBolt}>
            Exploitable
          </ToneBadge>
        )}
        {item.confirmed && (
          <ToneBadge tone="plain" icon={IconShieldCheck}>
            Confirmed
          </ToneBadge>
        )}
        <ToneBadge tone="plain">{typeLabel(item.type)}</ToneBadge>
      </Group>
      <p className="vuln-where break">
        <Link
          to="/w/$slug/vulnerabilities"
          params={{ slug }}
          search={{ repo: item.repository.full_name, state: 'open' }}
          preload={false}
        >
          <ReportText>{item.repository.full_name}</ReportText>
        </Link>{' '}
        <FileLink detail={item} path={item.location.path} line={item.location.line}>
          <ReportText className="mono">{locationLabel(item.location)}</ReportText>
        </FileLink>{' '}
        on <ReportText className="mono">{item.location.reference.ref}</ReportText>{' '}
        <ReferenceForgeLink repository={repository} reference={item.location.reference} />
      </p>
      <p className="vuln-id">
        <span className="mono">{item.id}</span> <CopyButton value={item.id} label="Copy the id" size="xs" />
      </p>
    </div>
  );
}
