/**
 * The header of a row. The first line says what to do: the upgrade of a package, or the rule and its location in a
 * file. The second line is the scanner's own title, after the repository.
 */
import type { MouseEvent } from 'react';
import type { ListedVulnerability } from '../../api/vulnerabilities.ts';
import { ReportText } from '../../components/report-text.tsx';
import { locationLabel, packageLabel, repositoryLabel, ruleLabel } from './labels.ts';

interface RowTitleProps {
  item: ListedVulnerability;
  /** The branch to name, because it is not the default branch. */
  branch: string | null;
  href: string;
  onOpen: () => void;
}

export function RowTitle({ item, branch, href, onOpen }: RowTitleProps) {
  const { package: installed, repository } = item;
  return (
    <div className="vuln-title">
      <a className="vuln-todo" href={href} onClick={(event) => openHere(event, onOpen)}>
        {installed ? <Upgrade item={item} installed={installed} /> : <RuleAndLocation item={item} />}
      </a>
      <span className="vuln-about" title={item.title}>
        <ReportText className="vuln-repository" title={repository.full_name}>
          {repositoryLabel(repository.full_name)}
        </ReportText>
        {branch && (
          <>
            {' on '}
            <ReportText className="mono">{branch}</ReportText>
          </>
        )}
        {' · '}
        <ReportText>{hasRuleLine(item) || installed ? item.title : locationLabel(item.location)}</ReportText>
      </span>
    </div>
  );
}

/** Returns `stdlib 1.20 → 1.21.11 · CVE-2024-24790`. */
function Upgrade({
  item,
  installed,
}: {
  item: ListedVulnerability;
  installed: NonNullable<ListedVulnerability['package']>;
}) {
  const { advisory, fix } = item;
  return (
    <>
      <ReportText className="vuln-name" title={installed.name}>
        {packageLabel(installed.purl)}
      </ReportText>
      <span className="vuln-rest mono">
        {installed.version !== null && <ReportText>{` ${installed.version}`}</ReportText>}
        {fix && (
          <>
            {' '}
            <span className="vuln-arrow" role="img" aria-label="fixed in">
              →
            </span>{' '}
            <ReportText className="vuln-fixed">{fix.fix_version}</ReportText>
          </>
        )}
        {advisory && (
          <>
            {' · '}
            <ReportText>{advisory}</ReportText>
          </>
        )}
      </span>
    </>
  );
}

function RuleAndLocation({ item }: { item: ListedVulnerability }) {
  if (!hasRuleLine(item)) return <ReportText className="vuln-name">{item.title}</ReportText>;
  const label = locationLabel(item.location);
  const file = label.slice(label.lastIndexOf('/', label.length - 2) + 1);
  return (
    <>
      <ReportText className="vuln-name" title={item.rule}>
        {ruleLabel(item.rule ?? '')}
      </ReportText>
      <span className="vuln-rest vuln-path mono" title={label}>
        {/* A long path loses its folders first, so that the file name stays visible. */}
        {file !== label && (
          <ReportText className="vuln-folders">{label.slice(0, label.length - file.length)}</ReportText>
        )}
        <ReportText className="vuln-file">{file}</ReportText>
      </span>
    </>
  );
}

/** The number of a rule does not help, so the title is shown in its place. */
function hasRuleLine({ rule, title }: ListedVulnerability): boolean {
  return rule !== undefined && /[a-z]/i.test(rule) && rule !== title;
}

// With a modifier key that opens a link elsewhere, the click stays a normal link.
function openHere(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}
