/** The evidence from the tools: code, data flow, requests of a scanner, and dependency paths. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Evidence, VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { CodeLines } from '../../../components/code-lines.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { locationLabel } from '../labels.ts';
import { FileLink } from './file-link.tsx';
import { PanelSection } from './panel-section.tsx';

export function CodeSection({ detail }: { detail: VulnerabilityDetail }) {
  const snippet = detail.evidence?.snippet ?? null;
  if (snippet === null) return null;
  return (
    <PanelSection title="Code">
      <CodeLines
        key={detail.id}
        code={snippet.text}
        label={`Code of ${detail.location.path}`}
        firstLine={snippet.first_line}
        markedFrom={snippet.marked_from}
        markedTo={snippet.marked_to}
      />
    </PanelSection>
  );
}

export function DataFlowSection({ detail }: { detail: VulnerabilityDetail }) {
  const steps = detail.evidence?.data_flow ?? [];
  if (steps.length === 0) return null;
  return (
    <PanelSection title={detail.type === 'dast' ? 'Requests' : 'Data flow'}>
      <ol className="vuln-flow">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place alone
          <li key={index}>
            <FlowStep step={step} detail={detail} />
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

function FlowStep({ step, detail }: { step: Evidence['data_flow'][number]; detail: VulnerabilityDetail }) {
  const { path, line, text } = step;
  return (
    <>
      {text !== '' && <ReportText className="mono break vuln-flow-text">{text}</ReportText>}
      {path !== null && (
        <span className="vuln-note break">
          <FileLink detail={detail} path={path} line={line}>
            <ReportText className="mono">{locationLabel({ path, line })}</ReportText>
          </FileLink>
        </span>
      )}
    </>
  );
}

// A person looks at a few. The others open on demand.
const pathsShown = 3;

export function DependencyPathsSection({ detail }: { detail: VulnerabilityDetail }) {
  const [isWhole, setIsWhole] = useState(false);
  const paths = detail.evidence?.dependency_paths ?? [];
  if (paths.length === 0) return null;
  const shown = isWhole ? paths : paths.slice(0, pathsShown);
  return (
    <PanelSection title="Dependency paths">
      <ul className="vuln-chains">
        {shown.map((path, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a chain is known by its place alone
          <li key={index}>
            <ol>
              {path.map((name, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a package may occur twice in a chain
                <li key={position} className="mono break">
                  <ReportText>{name}</ReportText>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
      {paths.length > pathsShown && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setIsWhole(!isWhole)}
          aria-expanded={isWhole}
        >
          {isWhole ? 'Show less' : `Show all ${paths.length}`}
        </Button>
      )}
    </PanelSection>
  );
}
