/**
 * The reasons why the commit of a scan blocks or warns, its base, the changes that unblock it, and the button to
 * request exceptions.
 */
import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasVerdict, type ScanDetail } from '../../api/scans.ts';
import { type Gate, gateQuery } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { CommitLink, type ForgeRepository } from '../../components/forge-link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { choicesFor, RequestException } from '../../components/request-exception.tsx';
import { Section } from '../../components/section.tsx';
import { countOf } from '../../components/target-labels.ts';
import { VerdictViolations } from './verdict-violations.tsx';
import './scan-verdict.css';

export function ScanVerdict({ slug, scan }: { slug: string; scan: ScanDetail }) {
  const isShown = hasVerdict(scan);
  const query = useQuery({ ...gateQuery(slug, scan), enabled: isShown });
  if (!isShown) return null;
  return (
    <Loaded query={query} noun="the verdict" lines={4}>
      {(gate) => <Verdict gate={gate} repository={scan.repository} />}
    </Loaded>
  );
}

const titles: Record<string, string> = {
  block: 'Why it blocks',
  warn: 'Why it warns',
  pass: 'Nothing blocks',
};

interface VerdictProps {
  gate: Gate;
  repository: ForgeRepository;
}

function Verdict({ gate, repository }: VerdictProps) {
  const { verdict, violations, summary, superseded } = gate;
  if (verdict === null || (verdict === 'pass' && gate.base.state === 'none')) return null;
  const blocking = violations.filter((violation) => violation.blocking);
  const warnings = violations.filter((violation) => !violation.blocking);
  return (
    <Section
      title={titles[verdict] ?? verdict}
      description={<Base gate={gate} repository={repository} />}
      actions={!superseded && <AskForAll gate={gate} />}
    >
      {superseded && (
        <p className="verdict-note">
          A later commit of {gate.reference?.ref} has been scanned since, or it is inactive. This is what was
          said of this one.
        </p>
      )}
      {gate.policies_pending && (
        <Alert color="yellow" role="note" className="verdict-note">
          Policies are still being evaluated, so the verdict may change.
        </Alert>
      )}
      <UnblockSteps steps={gate.unblock} />
      <VerdictViolations
        label="Blocking"
        gate={gate}
        violations={blocking}
        total={summary.blocking}
        shown={100}
      />
      <VerdictViolations
        label="Warnings"
        gate={gate}
        violations={warnings}
        total={summary.warning}
        shown={20}
      />
    </Section>
  );
}

function Base({ gate: { base, reference, summary }, repository }: VerdictProps) {
  const { slug } = useWorkspace();
  if (base.state === 'none' || base.state === 'ignored') {
    return <>Everything on {reference?.ref} counts, because it has no base to compare with.</>;
  }
  const name = base.ref ?? 'its base';
  const link = (
    <Link
      to="/w/$slug/scans"
      params={{ slug }}
      search={{ repo: repository.full_name, ...(base.ref !== null && { ref: base.ref }) }}
    >
      <ReportText>{name}</ReportText>
    </Link>
  );
  switch (base.state) {
    case 'compared':
      return (
        <>
          Compared with {link}
          {base.sha !== null && (
            <>
              {' '}
              at <CommitLink repository={repository} sha={base.sha} length={10} />
            </>
          )}
          : only what is added counts
          {summary.on_base > 0 && <>; {summary.on_base.toLocaleString()} that are there too do not</>}.
        </>
      );
    case 'untracked':
      return <>The base {link} was named by a key that may not decide: everything counts.</>;
    default:
      return <>The base {link} was never scanned: everything counts.</>;
  }
}

// The server takes as many in one request as the gate shows.
function AskForAll({ gate: { violations, repository } }: { gate: Gate }) {
  const { may } = useWorkspace();
  const [isRequesting, setIsRequesting] = useState(false);
  const open = violations.filter(({ blocking, status }) => blocking && status === 'open');
  const [first] = open;
  if (!may('member') || first === undefined) return null;
  const all = {
    label: `All ${countOf(open.length, 'violation')} that block`,
    about: { violations: open.map(({ id }) => id) },
  };
  return (
    <>
      <Button size="compact-sm" onClick={() => setIsRequesting(true)}>
        {open.length === 1
          ? 'Request an exception'
          : `Request exceptions for all ${open.length.toLocaleString()}`}
      </Button>
      <RequestException
        opened={isRequesting}
        onClose={() => setIsRequesting(false)}
        choices={
          open.length === 1 ? choicesFor(first, { id: repository.id, name: repository.full_name }) : [all]
        }
      />
    </>
  );
}

// The steps that fix most come first.
const stepsShown = 20;

function UnblockSteps({ steps }: { steps: Gate['unblock'] }) {
  if (steps.length === 0) return null;
  return (
    <>
      <h3 className="verdict-title">To unblock</h3>
      <ol className="verdict-steps">
        {steps.slice(0, stepsShown).map(({ text, paths, resolves }) => (
          <li key={resolves.join()} className="break">
            <ReportText>{text}</ReportText>{' '}
            <span className="verdict-detail">
              Clears {resolves.length.toLocaleString()}
              {paths.length > 0 && <>, in {pathsLabel(paths)}</>}
            </span>
          </li>
        ))}
      </ol>
      {steps.length > stepsShown && (
        <p className="verdict-note">And {(steps.length - stepsShown).toLocaleString()} more changes.</p>
      )}
    </>
  );
}

const pathsShown = 3;

function pathsLabel(paths: string[]) {
  const more = paths.length - pathsShown;
  return (
    <>
      <ReportText className="mono">{paths.slice(0, pathsShown).join(', ')}</ReportText>
      {more > 0 && ` and ${more.toLocaleString()} more`}
    </>
  );
}
