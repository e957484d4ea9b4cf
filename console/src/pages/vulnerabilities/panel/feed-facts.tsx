/** The facts from the feeds. For a feed that was never loaded it says so. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { intelQuery } from '../../../api/intel.ts';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { ToneBadge } from '../../../components/badges.tsx';
import { Fact } from '../../../components/fact.tsx';
import { percent } from '../labels.ts';

export function FeedFacts({ detail: { epss, kev } }: { detail: VulnerabilityDetail }) {
  const { slug } = useWorkspace();
  const isSilent = kev === null || epss === null;
  const { data: loaded } = useQuery({ ...intelQuery(slug), enabled: isSilent });
  return (
    <>
      <Fact name="EPSS">
        {epss !== null
          ? `${percent(epss.score)} within 30 days, percentile ${(epss.percentile * 100).toFixed(1)}`
          : loaded && (loaded.epss ? 'No score' : <NotLoaded noun="EPSS has" />)}
      </Fact>
      <Fact name="Known exploited">
        {kev !== null ? (
          <Kev kev={kev} />
        ) : (
          loaded && (loaded.kev ? 'Not in the KEV catalogue' : <NotLoaded noun="the KEV catalogue has" />)
        )}
      </Fact>
    </>
  );
}

function NotLoaded({ noun }: { noun: string }) {
  const { slug, may } = useWorkspace();
  return (
    <>
      Not known: {noun} never been loaded
      {may('admin') && (
        <>
          .{' '}
          <Link to="/w/$slug/settings" params={{ slug }}>
            How to load it
          </Link>
        </>
      )}
    </>
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
