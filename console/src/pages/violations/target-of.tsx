/** The target of a violation, and its locations. */
import { Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ViolationDetail, ViolationTarget } from '../../api/violations.ts';
import { locationsQuery, signalsQuery, vulnerabilityQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { Fact } from '../../components/fact.tsx';
import { CommitLink, useForgeRepository } from '../../components/forge-link.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { targetTypeName, targetTypeOf } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { VulnerabilityStatus } from '../../components/vulnerability-status.tsx';
import { useRepositoryName } from './use-repository-name.ts';
import { ViolationPart } from './violation-part.tsx';

export function TargetOf({ detail: { target, scope, violation, scan } }: { detail: ViolationDetail }) {
  const { slug } = useWorkspace();
  const repository = useRepositoryName(scope);
  const forgeRepository = useForgeRepository(scope.id);
  const { metadata } = violation;
  return (
    <ViolationPart title={targetTypeName(targetTypeOf(target))}>
      <dl className="facts">
        {factsOf(target).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name="Repository">
          <Link to="/w/$slug/repositories/$repo" params={{ slug, repo: scope.id }}>
            {repository}
          </Link>
        </Fact>
        {metadata.reference_ref && <Fact name="Reference">{metadata.reference_ref}</Fact>}
        {metadata.environment_key && <Fact name="Environment">{metadata.environment_key}</Fact>}
        {!Array.isArray(target) && target.type === 'vulnerability' && (
          <>
            <FixAndOwner id={target.id} />
            <Locations id={target.id} />
          </>
        )}
        {scan && (
          <Fact name="Last seen by">
            <Link to="/w/$slug/scans/$scan" params={{ slug, scan: scan.id }}>
              A scan of {scan.ref}
            </Link>
            {scan.sha && (
              <>
                {' '}
                at <CommitLink repository={forgeRepository} sha={scan.sha} length={10} />
              </>
            )}
            , <TimeText value={scan.finished_at} />
          </Fact>
        )}
      </dl>
    </ViolationPart>
  );
}

function factsOf(target: ViolationTarget): [string, ReactNode][] {
  if (Array.isArray(target)) return [];
  const text = (name: string, value: string | null): [string, ReactNode][] =>
    value === null || value === '' ? [] : [[name, value]];
  switch (target.type) {
    case 'vulnerability':
      return [
        ['Status', <StatusOf key="status" id={target.id} status={target.status} />],
        ['Type', enumLabel(target.vulnerability_type)],
        ['In full', <VulnerabilityLink key="link" id={target.id} />],
      ];
    case 'package':
      return [
        ['Package URL', <Mono key="purl" text={target.purl} />],
        ...text('Name', target.name),
        ...text('Namespace', target.namespace),
      ];
    case 'package_version':
      return [['Package URL', <Mono key="purl" text={target.purl} />], ...text('Version', target.version)];
    case 'manifest':
      return [
        ...text('Manifest', target.manifest_file),
        ...text('Lock file', target.lock_file),
        ...text('Kind', target.manifest_type),
        ...text('Language', target.language),
      ];
    case 'analysis':
      return [
        ...text('Looks for', target.analysis_type),
        ...text('State', target.vulnerable_reason && enumLabel(target.vulnerable_reason)),
      ];
    case 'provider':
      return target.manual_override ? [['Confirmed', 'By a person']] : [];
    case 'asset':
      return [['Image', <Mono key="name" text={target.name} />]];
  }
}

function StatusOf({ id, status }: { id: string; status: string }) {
  const { slug } = useWorkspace();
  // The locations of an open one are listed below.
  const { data } = useQuery({ ...signalsQuery(slug, [id]), enabled: status === 'fixed' });
  return (
    <Group gap={6}>
      <VulnerabilityStatus status={status} liveOn={data?.get(id)?.live_on} />
    </Group>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}

function VulnerabilityLink({ id }: { id: string }) {
  const { slug } = useWorkspace();
  return (
    <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={{ v: id }}>
      Open the vulnerability
    </Link>
  );
}

function FixAndOwner({ id }: { id: string }) {
  const { slug } = useWorkspace();
  const { data } = useQuery(vulnerabilityQuery(slug, id));
  if (!data) return null;
  return (
    <>
      {data.package !== null && (
        <>
          <Fact name="Package">
            <Mono text={visibleText(data.package)} />
          </Fact>
          <Fact name="Fixed in">
            {data.fix_version === null ? 'No fix is known' : visibleText(data.fix_version)}
          </Fact>
        </>
      )}
      <Fact name="Owner">{visibleText(data.assignee?.display_name ?? 'Nobody')}</Fact>
    </>
  );
}

// This many fit in sight; the vulnerability's own panel shows all.
const locationsShown = 8;

function Locations({ id }: { id: string }) {
  const { slug } = useWorkspace();
  const { data } = useInfiniteQuery(locationsQuery(slug, id, 'live'));
  const all = data?.pages[0];
  if (!all || all.items.length === 0) return null;
  const rest = all.items.length - locationsShown;
  return (
    <Fact name="Locations">
      {all.items.slice(0, locationsShown).map((location) => (
        <div key={location.id}>
          <span className="mono">
            {location.line === null ? location.path : `${location.path}:${location.line}`}
          </span>{' '}
          on {location.reference.ref}
        </div>
      ))}
      {rest > 0 && (
        <div>
          and {rest}
          {all.next_cursor === null ? '' : ' or'} more
        </div>
      )}
    </Fact>
  );
}
