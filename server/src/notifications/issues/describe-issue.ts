/** Title and text of a new issue, from the state of its vulnerabilities. */
import type { Tx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { packageName } from '../../domain/package-name.ts';
import { unpackState } from '../../domain/packed-state.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { highestOfGroup, purlTypeOf } from '../../domain/versions.ts';
import { consolePage } from '../../http/console-page.ts';
import { type IssueCounts, type IssueText, issueBodyOf, titleOf } from './issue-text.ts';
import {
  findIssueNames,
  type IssueVulnerability,
  type LinkedIssueRow,
  listFixVersions,
  listOpenVulnerabilities,
} from './linked-issue-store.ts';
import { commonLabel, type NewIssue } from './tracker-client.ts';
import type { TrackerRow } from './tracker-store.ts';

interface Described {
  tracker: TrackerRow;
  row: LinkedIssueRow;
  counts: IssueCounts;
  publicUrl: string | null;
  marker: string;
}

// Jira takes 32,767 characters. Nobody reads more lines.
const maxItems = 40;

export async function describeIssue(
  tx: Tx,
  { tracker, row, counts, publicUrl, marker }: Described,
): Promise<NewIssue> {
  const names = await findIssueNames(tx, row.repository_id);
  const { slug = '', repository = '' } = names ?? {};
  const open = await listOpenVulnerabilities(tx, row.id, row.package_key === null ? 1 : maxItems);
  const pageOf = (query: Record<string, string>): string | null =>
    publicUrl === null ? null : consolePage(publicUrl, slug, `vulnerabilities?${new URLSearchParams(query)}`);
  const text =
    row.package_key === null
      ? singleText(open, repository, pageOf)
      : groupText(open, await listFixVersions(tx, row.id), counts, {
          repository,
          link: (purl) =>
            pageOf({ repo: formatId('repository', row.repository_id), package: purl, state: 'any' }),
        });
  return {
    title: titleOf(text.title),
    body: issueBodyOf(tracker.kind, { ...text, marker }),
    labels: [...new Set([commonLabel, ...tracker.labels])],
    marker,
  };
}

type Text = Omit<IssueText, 'marker'>;

function singleText(
  [first]: IssueVulnerability[],
  repository: string,
  pageOf: (query: Record<string, string>) => string | null,
): Text {
  if (first === undefined) throw new Error('an issue about nothing');
  const severity = severityOf(first);
  return {
    title: `${severity}: ${first.title} (${repository})`,
    introduction: 'Merlon has found a vulnerability.',
    facts: [
      ['Vulnerability', first.title],
      ['Severity', severity],
      ...fact('Advisory', first.advisory),
      ...fact('Package', first.package && packageName(first.package)),
      ...fact('Fixed in', first.fix_version),
      ['Repository', repository],
      ...fact('Where', locationTextOf(first)),
    ],
    items: [],
    more: 0,
    link: pageOf({ v: formatId('vulnerability', first.id) }),
  };
}

function groupText(
  open: IssueVulnerability[],
  versions: string[],
  counts: IssueCounts,
  { repository, link }: { repository: string; link: (purl: string) => string | null },
): Text {
  const [worst] = open;
  const purl = worst?.package ?? '';
  const name = packageName(purl);
  const version = highestOfGroup(purlTypeOf(purl), versions);
  const many = counts.open === 1 ? '1 vulnerability' : `${counts.open} vulnerabilities`;
  return {
    title:
      version === null
        ? `${name}: ${many} (${repository})`
        : `Upgrade ${name} to ${version}: clears ${many} (${repository})`,
    introduction: `Merlon has found ${many} in one package.`,
    facts: [
      ['Package', name],
      ...fact('Upgrade to', version),
      ...(worst === undefined ? [] : fact('Highest severity', severityOf(worst))),
      ['Repository', repository],
    ],
    items: open.map((one) =>
      [severityOf(one), one.advisory, one.title, one.fix_version && `fixed in ${one.fix_version}`]
        .filter((part) => part)
        .join(' · ')
        .slice(0, maxItem),
    ),
    more: counts.open - open.length,
    link: link(purl),
  };
}

const maxItem = 300;

function fact(name: string, value: string | null): [name: string, value: string][] {
  return value === null || value === '' ? [] : [[name, value]];
}

function severityOf({ packed_state: state }: IssueVulnerability): string {
  const { severity } = unpackState(state);
  return severity.charAt(0).toUpperCase() + severity.slice(1);
}

function locationTextOf({ path, line, full_ref: ref }: IssueVulnerability): string | null {
  if (!path) return null;
  const location = line === null ? path : `${path}:${line}`;
  return ref === null ? location : `${location} on ${shortRef(ref)}`;
}
