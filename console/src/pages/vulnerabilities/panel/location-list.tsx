/** Locations, each with its reference, its artifact, and the rule that matched its finding with this vulnerability. */
import { useMemo } from 'react';
import type { VulnerabilityDetail, VulnerabilityLocation } from '../../../api/vulnerabilities.ts';
import { ToneBadge } from '../../../components/badges.tsx';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import type { Selection } from '../../../components/selection.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { locationLabel } from '../labels.ts';
import { matchLabel } from './match-labels.ts';

interface LocationListProps {
  locations: VulnerabilityLocation[];
  matches: VulnerabilityDetail['matches'];
  selection?: Selection;
}

export function LocationList({ locations, matches, selection }: LocationListProps) {
  const columns = useMemo(() => columnsWith(matches), [matches]);
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

function columnsWith(matches: LocationListProps['matches']): Column<VulnerabilityLocation>[] {
  const byLocation = Map.groupBy(matches, (match) => match.location_id);
  return [
    {
      id: 'location',
      label: 'Location',
      cell: (location) => (
        <>
          <ReportText className="mono break">{locationLabel(location)}</ReportText>
          {location.artifact && (
            <span className="vuln-note break">
              <ReportText>{location.artifact.purl ?? location.artifact.name}</ReportText>
            </span>
          )}
          {[
            ...new Set(
              (byLocation.get(location.id) ?? []).map(({ tool, why }) => `${tool}: ${matchLabel(why)}`),
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
      cell: ({ reference }) => <ReportText className="mono break">{reference.ref}</ReportText>,
    },
    {
      id: 'state',
      label: 'Now',
      cell: (location) => <LocationState location={location} />,
    },
  ];
}

function LocationState({ location }: { location: VulnerabilityLocation }) {
  if (location.fixed_at !== null) {
    return (
      <>
        gone <TimeText value={location.fixed_at} />
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
