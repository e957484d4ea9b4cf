/** The status on each branch, tag and pull request that ever had the vulnerability; the default branch first. */
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { enumLabel } from '../../../components/badges.tsx';
import type { Column } from '../../../components/column.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { VulnerabilityStatus } from '../../../components/vulnerability-status.tsx';

type Reference = VulnerabilityDetail['references'][number];

const columns: Column<Reference>[] = [
  {
    id: 'ref',
    label: 'Reference',
    cell: ({ ref, type, active }) => (
      <>
        <ReportText className="mono break">{ref}</ReportText>
        {type !== 'branch' && <span className="vuln-note"> {enumLabel(type)}</span>}
        {!active && <span className="vuln-note"> inactive</span>}
      </>
    ),
  },
  { id: 'status', label: 'Status', cell: ({ status }) => <VulnerabilityStatus status={status} /> },
  { id: 'first', label: 'First seen', cell: ({ first_seen_at: at }) => <TimeText value={at} /> },
  { id: 'fixed', label: 'Fixed', cell: ({ fixed_at: at }) => <TimeText value={at} none="—" /> },
];

export function ReferenceTable({ references }: { references: Reference[] }) {
  return (
    <DataTable
      label="Status on each reference"
      columns={columns}
      rows={references}
      keyOf={({ id }) => id}
      nameOf={({ ref }) => ref}
      fixedColumns
    />
  );
}
