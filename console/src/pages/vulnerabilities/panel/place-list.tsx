/** Locations, each with its reference, its artifact, and the rule that matched its finding with this vulnerability. */
import { useMemo } from 'react';
import type { VulnerabilityDetail, VulnerabilityLocation } from '../../../api/vulnerabilities.ts';
import { ToneBadge } from '../../../components/badges.tsx';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import type { Selection } from '../../../components/selection.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { placeWord } from '../labels.ts';
import { matchWord } from './match-labels.ts';

interface PlaceListProps {
  places: VulnerabilityLocation[];
  matches: VulnerabilityDetail['matches'];
  selection?: Selection;
}

export function PlaceList({ places, matches, selection }: PlaceListProps) {
  const columns = useMemo(() => columnsWith(matches), [matches]);
  if (places.length === 0) return null;
  return (
    <DataTable
      label="Places"
      columns={columns}
      rows={places}
      keyOf={({ id }) => id}
      nameOf={(place) => `${placeWord(place)} on ${place.reference.ref}`}
      {...(selection ? { selection } : {})}
      fixedColumns
    />
  );
}

function columnsWith(matches: PlaceListProps['matches']): Column<VulnerabilityLocation>[] {
  const byPlace = Map.groupBy(matches, (match) => match.location_id);
  return [
    {
      id: 'place',
      label: 'Place',
      cell: (place) => (
        <>
          <ReportText className="mono break">{placeWord(place)}</ReportText>
          {place.artifact && (
            <span className="vuln-note break">
              <ReportText>{place.artifact.purl ?? place.artifact.name}</ReportText>
            </span>
          )}
          {[
            ...new Set((byPlace.get(place.id) ?? []).map(({ tool, why }) => `${tool}: ${matchWord(why)}`)),
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
      cell: (place) => <PlaceState place={place} />,
    },
  ];
}

function PlaceState({ place }: { place: VulnerabilityLocation }) {
  if (place.fixed_at !== null) {
    return (
      <>
        gone <TimeText value={place.fixed_at} />
      </>
    );
  }
  if (!place.is_vulnerable) return <ToneBadge tone="plain">Does not count</ToneBadge>;
  return (
    <>
      since <TimeText value={place.vulnerable_at} />
    </>
  );
}
