/** Locations, each with its reference, its artifact, and the rule that matched its finding with this vulnerability. */
import { useMemo } from 'react';
import type { VulnerabilityDetail, VulnerabilityLocation } from '../../../api/vulnerabilities.ts';
import { ToneBadge } from '../../../components/badges.tsx';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import {
  type ForgeRepository,
  ReferenceForgeLink,
  useForgeRepository,
} from '../../../components/forge-link.tsx';
import { ReportText, visibleText } from '../../../components/report-text.tsx';
import type { Selection } from '../../../components/selection.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { locationLabel } from '../labels.ts';
import { FileLink } from './file-link.tsx';
import { matchLabel } from './match-labels.ts';

interface LocationListProps {
  detail: VulnerabilityDetail;
  locations: VulnerabilityLocation[];
  selection?: Selection;
}

export function LocationList({ detail, locations, selection }: LocationListProps) {
  const repository = useForgeRepository(detail.repository.id);
  const columns = useMemo(() => columnsWith(detail, repository), [detail, repository]);
  if (locations.length === 0) return null;
  return (
    <DataTable
      label="Locations"
      columns={columns}
      rows={locations}
      keyOf={({ id }) => id}
      nameOf={(location) => `${locationLabel(location)} on ${location.reference.ref}`}
      {...(selection ? { selection } : {})}
      fixedColumns
    />
  );
}

function columnsWith(
  detail: VulnerabilityDetail,
  repository: ForgeRepository | undefined,
): Column<VulnerabilityLocation>[] {
  const byLocation = Map.groupBy(detail.matches, (match) => match.location_id);
  return [
    {
      id: 'location',
      label: 'Location',
      cell: (location) => (
        <>
          <LocationText detail={detail} location={location} />
          {location.artifact && (
            <span className="vuln-note break">
              <ReportText>{location.artifact.purl ?? location.artifact.name}</ReportText>
            </span>
          )}
          {[
            ...new Set(
              (byLocation.get(location.id) ?? []).map(
                ({ tool, match_method: method }) => `${visibleText(tool)}: ${matchLabel(method)}`,
              ),
            ),
          ].map((line) => (
            <span key={line} className="vuln-note">
              {line}
            </span>
          ))}
        </>
      ),
    },
    {
      id: 'ref',
      label: 'Reference',
      width: 160,
      wrap: true,
      cell: ({ reference }) => (
        <>
          <ReportText className="mono break">{reference.ref}</ReportText>{' '}
          <ReferenceForgeLink repository={repository} reference={reference} />
        </>
      ),
    },
    {
      id: 'state',
      label: 'Now',
      cell: (location) => <LocationState location={location} />,
    },
  ];
}

/** A fixed location has no link, because the newest commit of the reference no longer contains it. */
function LocationText({
  detail,
  location,
}: {
  detail: VulnerabilityDetail;
  location: VulnerabilityLocation;
}) {
  const label = <ReportText className="mono break">{locationLabel(location)}</ReportText>;
  if (location.fixed_at !== null) return label;
  return (
    <FileLink detail={{ ...detail, location }} path={location.path} line={location.line}>
      {label}
    </FileLink>
  );
}

function LocationState({ location }: { location: VulnerabilityLocation }) {
  if (location.fixed_at !== null) {
    return (
      <>
        fixed <TimeText value={location.fixed_at} />
      </>
    );
  }
  if (!location.is_vulnerable) return <ToneBadge tone="plain">Does not count</ToneBadge>;
  return (
    <>
      since <TimeText value={location.vulnerable_at} />
    </>
  );
}
