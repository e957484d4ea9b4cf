/** The events of one page of the log. The actor and the object are links that filter the list by them. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditEvent } from '../../api/audit.ts';
import { enumLabel } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { SmallNote } from '../../components/note.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { actionText, dataFields } from './audit-labels.ts';
import './audit.css';

interface AuditTableProps {
  events: AuditEvent[];
  nameOf: (id: string) => string | undefined;
  stale: boolean;
}

export function AuditTable({ events, nameOf, stale }: AuditTableProps) {
  const columns: Column<AuditEvent>[] = [
    { id: 'what', label: 'Action', cell: ({ action }) => actionText(action) },
    {
      id: 'target',
      label: 'Object',
      wrap: true,
      cell: (event) => (
        <div className="audit-target">
          <Target event={event} />
        </div>
      ),
    },
    {
      id: 'data',
      label: 'Details',
      wrap: true,
      cell: ({ data, names }) => <Details data={data} nameOf={(id) => names[id] ?? nameOf(id)} />,
    },
    {
      id: 'who',
      label: 'Actor',
      wrap: true,
      cell: (event) => (
        <div className="audit-who">
          <Actor event={event} />
        </div>
      ),
    },
    { id: 'when', label: 'Time', cell: ({ at }) => <TimeText value={at} as="datetime" /> },
    {
      id: 'request',
      label: 'Request',
      hidden: true,
      cell: ({ request_id: id }) =>
        id && (
          <>
            <span className="mono">{id}</span> <CopyButton value={id} label="Copy the request id" size="xs" />
          </>
        ),
    },
  ];
  return (
    <div className="audit-table">
      <DataTable
        label="Audit log"
        columns={columns}
        rows={events}
        keyOf={({ id }) => id}
        nameOf={({ action }) => actionText(action)}
        stale={stale}
      />
    </div>
  );
}

function Target({ event }: { event: AuditEvent }) {
  const { type, id, name } = event.target;
  const text = visibleText(name ?? id ?? 'deleted');
  return (
    <>
      {id === null ? (
        <span className="break">{text}</span>
      ) : (
        <Link
          from="/w/$slug/audit"
          to="."
          search={({ cursor: _, ...now }) => ({ ...now, target: id })}
          className="audit-link break"
          title="Show its entries"
        >
          {text}
        </Link>
      )}
      <SmallNote>{enumLabel(type)}</SmallNote>
    </>
  );
}

function Actor({ event: { actor, key } }: { event: AuditEvent }) {
  const viaKey = key && <SmallNote isBreakable>by the key {key.name}</SmallNote>;
  return (
    <>
      <Link
        from="/w/$slug/audit"
        to="."
        search={({ cursor: _, ...now }) => ({ ...now, actor: actor?.id ?? 'operator' })}
        className="audit-link break"
        title={actor ? actor.email : 'At the command line, or by the clock'}
      >
        {actor ? actor.name : 'The operator'}
      </Link>
      {viaKey}
    </>
  );
}

function Details({ data, nameOf }: Pick<AuditEvent, 'data'> & Pick<AuditTableProps, 'nameOf'>) {
  const fields = dataFields(data, nameOf);
  if (fields.length === 0) return null;
  return (
    <dl className="audit-data">
      {fields.map(({ name, value, isTime }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="break">
            {isTime ? <TimeText value={value} as="datetime" /> : <LongText text={visibleText(value)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

// About five lines of its column, since a reason may be pages long.
const shownLength = 240;

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= shownLength) return text;
  return (
    <>
      {text.slice(0, shownLength)}…{' '}
      <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
        Show all
      </Button>
    </>
  );
}
