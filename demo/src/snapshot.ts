/**
 * The contents of a repository on one reference in one week of the story: versions, code, secrets and failed checks.
 * It applies the data of `company/` (weeks, renames, edits, suppressions, shifting lines) and is independent of report
 * formats. The writers have the formats, and are independent of the story.
 */
import {
  type Branch,
  type Image,
  isPresent,
  type Repository,
  type VersionHistory,
  versionAt,
} from './company/repository.ts';
import { pickNumber } from './digest.ts';
import type { Ecosystem } from './knowledge/advisories.ts';
import { readTable } from './knowledge/table.ts';

export interface InstalledPackage {
  name: string;
  version: string;
}

export interface Snapshot {
  repository: string;
  week: number;
  manifests: { path: string; ecosystem: Ecosystem; packages: InstalledPackage[] }[];
  images: { image: Image; packages: InstalledPackage[] }[];
  code: LocatedCode[];
  misconfigurations: LocatedMisconfiguration[];
  secrets: LocatedSecret[];
  licenses: LocatedLicense[];
}

export interface LocatedCode {
  rule: string;
  path: string;
  line: number;
  code: string;
  /** The original code of the matched parts, from which the fingerprint is made. */
  matched: string;
  suppressed: string | null;
}

export interface LocatedMisconfiguration {
  check: string;
  path: string;
  startLine: number;
  endLine: number;
  resource: string;
  code: string;
}

export interface LocatedSecret {
  kind: string;
  path: string;
  line: number;
  /** The line before and after the secret. */
  before: string;
  after: string;
  /** Null if it is masked, else a dummy that is marked as one. */
  value: string | null;
  /** True if it is still in the files. Otherwise only a scan of the history finds it. */
  live: boolean;
  firstWeek: number;
}

export interface LocatedLicense {
  package: string;
  license: string;
  category: string;
  severity: string;
  manifest: string;
}

/** The state of the default branch in a week, or of a branch, which keeps the state of the week of its cut. */
export function takeSnapshot(
  repository: Repository,
  week: number,
  branch: Branch | null,
  seed: number,
): Snapshot {
  const ref = branch?.ref ?? 'main';
  const state = branch?.cut ?? week;
  const location = (path: string, line: number) => ({
    path: renamed(repository, path, state),
    line: line + lineShift(repository, path, state, seed),
  });
  const manifests = repository.manifests.map(({ path, ecosystem, packages }) => ({
    path,
    ecosystem,
    packages: installed({ ...packages, ...branch?.packages?.[path] }, state),
  }));
  const images = (repository.images ?? []).map((image) => ({
    image,
    packages: installed(image.packages, state),
  }));
  const present = <Row extends { weeks: string }>(rows: Row[]) =>
    rows.filter((row) => isPresent(row.weeks, state, ref));

  return {
    repository: repository.name,
    week,
    manifests,
    images,
    code: present(readTable(['rule', 'at', 'weeks', 'code'], repository.code)).map((row) => {
      const [path, line] = locationOf(row.at);
      return {
        rule: row.rule,
        ...location(path, line),
        code: edited(repository, path, row.code, state),
        matched: row.code,
        suppressed: suppression(repository, row.code, state),
      };
    }),
    misconfigurations: present(
      readTable(['check', 'at', 'weeks', 'resource', 'code'], repository.misconfigurations),
    ).map((row) => {
      const [path, startLine, endLine] = locationOf(row.at);
      const moved = location(path, startLine);
      return {
        check: row.check,
        path: moved.path,
        startLine: moved.line,
        endLine: moved.line + endLine - startLine,
        resource: row.resource,
        code: row.code,
      };
    }),
    secrets: readTable(['kind', 'at', 'weeks', 'text'], repository.secrets).flatMap((row) => {
      const firstWeek = Array.from({ length: state + 1 }, (_, index) => index).find((index) =>
        isPresent(row.weeks, index, ref),
      );
      if (firstWeek === undefined) return [];
      const [path, line] = locationOf(row.at);
      const [before = '', value = '', after = ''] = row.text.split(/[«»]/);
      return [
        {
          kind: row.kind,
          path,
          line,
          before,
          after,
          value: value === '*' ? null : value,
          live: isPresent(row.weeks, state, ref),
          firstWeek,
        },
      ];
    }),
    licenses: present(
      readTable(['package', 'license', 'category', 'severity', 'manifest', 'weeks'], repository.licenses),
    ),
  };
}

function installed(packages: Readonly<Record<string, VersionHistory>>, week: number): InstalledPackage[] {
  return Object.entries(packages).flatMap(([name, history]) => {
    const version = versionAt(history, week);
    return version === null ? [] : [{ name, version }];
  });
}

/** `path:12` or `path:12-20`. */
function locationOf(cell: string): [path: string, startLine: number, endLine: number] {
  const match = /^(.+):(\d+)(?:-(\d+))?$/.exec(cell);
  if (match === null) throw new Error(`not a place: ${cell}`);
  const [, path = '', start = '', end = start] = match;
  return [path, Number(start), Number(end)];
}

function renamed(repository: Repository, path: string, week: number): string {
  const rename = repository.renames?.find((event) => event.from === path && event.week <= week);
  return rename?.to ?? path;
}

function edited(repository: Repository, path: string, code: string, week: number): string {
  const edit = repository.edits?.find(
    (event) => event.path === path && event.from === code && event.week <= week,
  );
  return edit?.to ?? code;
}

function suppression(repository: Repository, code: string, week: number): string | null {
  const found = repository.suppressions?.find((event) => event.code === code && event.week <= week);
  return found?.justification ?? null;
}

/** About every third week a few lines are added above, so that all findings of the file move down together. */
function lineShift(repository: Repository, path: string, week: number, seed: number): number {
  let shift = 0;
  for (let past = 1; past <= week; past++) {
    if (pickNumber(3, seed, repository.name, path, past, 'moves') === 0) {
      shift += 1 + pickNumber(9, seed, repository.name, path, past, 'lines');
    }
  }
  return shift;
}
