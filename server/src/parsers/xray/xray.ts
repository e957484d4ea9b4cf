/**
 * The reports of JFrog Xray: the report of vulnerabilities (`rows`), the export of components (`data`), the summary of
 * artifacts (`artifacts`), and the raw result of `jf scan` and `jf audit`. Each scanned artifact is a run. Issues are
 * read in `issues.ts`.
 */

import type { Format } from '../format.ts';
import { newRun } from '../reading/finding.ts';
import { imageCategory, parseImage } from '../reading/images.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest } from '../reading/packages.ts';
import { outcomeOfPage } from '../reading/pages.ts';
import { normalisePath } from '../reading/paths.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type {
  Report,
  ReportFinding,
  ReportImage,
  ReportInventoryPackage,
  Run,
  RunOutcome,
} from '../report.ts';
import { packageOfComponent, packageOfPath } from './components.ts';
import { issueFields, readXrayIssue, type XrayComponent, type XrayIssue } from './issues.ts';

export const xray: Format = {
  name: 'xray',
  writesLists: true,
  marks: ['total_rows', 'rows'],
  recognises: ({ json }) => shapeOf(json) !== null,
  parse: ({ json }, context) => parse(json, context),
};

type Shape = 'rows' | 'components' | 'artifacts' | 'scans';

function shapeOf(json: unknown): Shape | null {
  const firstOf = (list: unknown): JsonRecord | null => {
    const found: unknown = Array.isArray(list) ? list.find((row) => asRecord(row) !== null) : null;
    return asRecord(found);
  };
  const has = (record: JsonRecord | null, ...keys: string[]): boolean =>
    record !== null && keys.some((key) => Object.hasOwn(record, key));
  if (Array.isArray(json)) {
    const first = firstOf(json);
    return has(first, 'scan_id') && has(first, 'vulnerabilities', 'violations', 'licenses', 'component_id')
      ? 'scans'
      : null;
  }
  const [rows, data, artifacts] = ['rows', 'data', 'artifacts'].map((key) => field(json, key));
  if (Array.isArray(rows) && numberAt(json, 'total_rows') !== null) {
    return firstOf(rows) === null || has(firstOf(rows), 'issue_id', 'vulnerable_component') ? 'rows' : null;
  }
  if (Array.isArray(data) && numberAt(json, 'total_count') !== null) {
    const isIssue = has(firstOf(data), 'source_comp_id', 'component_versions', 'issue_type');
    return firstOf(data) === null || isIssue ? 'components' : null;
  }
  const isSummary = has(firstOf(artifacts), 'general') && has(firstOf(artifacts), 'issues', 'licenses');
  return isSummary ? 'artifacts' : null;
}

/** A scanned artifact with its findings. */
interface Artifact {
  category: string;
  image: ReportImage | null;
  findings: ReportFinding[];
  packages: ReportInventoryPackage[];
}

/** Returns the id without the version or the checksum, which each build changes: `generic://sha256:9c1f/shed.jar`. */
function nameOf(id: string): string {
  return id.replace(/^(generic:\/\/)sha256:[0-9a-f]+\//, '$1').replace(/:[^:/]*$/, '');
}

/** Returns the name without the kind of the artifact: `shed.zip` for `generic://shed.zip`. */
function pathOf(category: string): string | null {
  return normalisePath(category.replace(/^[a-z]{1,20}:\/\//, ''));
}

class ArtifactList {
  readonly #artifacts = new Map<string, Artifact>();
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  /** `id` is `docker://shed:1.2`, `gav://…`, or a name with its version. An empty one is the list itself. */
  of(id: string, type: string | null, pointer: string): Artifact {
    const isImage = type?.toLowerCase() === 'docker' || id.startsWith('docker://');
    const image = isImage ? parseImage(id) : null;
    const named = image === null ? packageOfComponent(id, this.#context) : null;
    const category = cleanName(
      image === null ? (named?.name ?? nameOf(id)) : imageCategory(image.name),
      this.#context,
    );
    const known = this.#artifacts.get(category);
    if (known !== undefined) return known;
    this.#context.addRun(pointer);
    const artifact = { category, image, findings: [], packages: [] };
    this.#artifacts.set(category, artifact);
    return artifact;
  }

  runs(outcome: RunOutcome): Run[] {
    const artifacts = [...this.#artifacts.values()];
    if (artifacts.length === 0) return [newRun({ tool: 'xray', outcome })];
    return artifacts.map(({ category, image, findings, packages }) =>
      newRun({
        tool: 'xray',
        category,
        outcome,
        findings,
        image,
        manifests:
          packages.length === 0
            ? []
            : [newManifest(pathOf(category) ?? '.', packages, image === null ? null : 'image')],
      }),
    );
  }
}

function parse(json: unknown, context: ParseContext): Report {
  const shape = shapeOf(json);
  const artifacts = new ArtifactList(context);
  const reader = new IssueReader(context);
  if (shape === 'rows') readRows(json, artifacts, reader, context);
  else if (shape === 'components') readComponents(json, artifacts, reader, context);
  else if (shape === 'artifacts') readArtifacts(json, artifacts, reader, context);
  else readScans(json, artifacts, reader, context);
  return newReport(xray.name, context, artifacts.runs(outcomeOf(json, context)));
}

/** The first two lists come from an API in pages, each with the number of all rows. */
function outcomeOf(json: unknown, context: ParseContext): RunOutcome {
  const total = numberAt(json, 'total_rows') ?? numberAt(json, 'total_count') ?? 0;
  return outcomeOfPage(total > arrayAt(json, 'rows').length + arrayAt(json, 'data').length, context);
}

class IssueReader {
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  /** Reads the rows of a list. `describe` gives the issue and its artifact. */
  read(
    holder: unknown,
    key: string,
    pointer: string,
    describe: (record: JsonRecord) => { issue: Omit<XrayIssue, 'pointer'>; artifact: Artifact },
  ): void {
    const rows = listAt(holder, key, pointer, this.#context);
    this.#context.addRows(rows.length, `${pointer}/${key}`);
    for (const [index, row] of rows.entries()) {
      const at = `${pointer}/${key}/${index}`;
      const record = asRecord(row);
      if (record === null) {
        this.#context.addUnreadable(at, 'The issue is not an object.');
        continue;
      }
      const { issue, artifact } = describe(record);
      const location = { path: pathOf(artifact.category) };
      const findings = readXrayIssue({ ...issue, pointer: at }, location, this.#context);
      if (findings === null) {
        this.#context.addUnreadable(at, 'The issue has neither an id nor a text.');
        continue;
      }
      for (const finding of findings) artifact.findings.push(finding);
    }
  }
}

function readRows(json: unknown, artifacts: ArtifactList, reader: IssueReader, context: ParseContext): void {
  reader.read(json, 'rows', '', (record) => {
    const artifact = artifacts.of(stringAt(record, 'impacted_artifact') ?? '', null, '/rows');
    const component = {
      package: packageOfComponent(stringAt(record, 'vulnerable_component'), context),
      fixedVersions: stringsAt(record, 'fixed_versions'),
      dependencyPaths: [],
    };
    return { artifact, issue: { ...issueFields(record), components: [component] } };
  });
}

function readComponents(
  json: unknown,
  artifacts: ArtifactList,
  reader: IssueReader,
  context: ParseContext,
): void {
  const artifact = artifacts.of('', null, '/data');
  reader.read(json, 'data', '', (record) => {
    const versions = recordAt(record, 'component_versions');
    const details = recordAt(versions, 'more_details');
    const id = stringAt(record, 'source_comp_id') ?? stringAt(record, 'source_id');
    const component = {
      package: packageOfComponent(id, context),
      fixedVersions: stringsAt(versions, 'fixed_versions'),
      dependencyPaths: [],
    };
    return {
      artifact,
      issue: {
        ...issueFields(record),
        description: stringAt(details, 'description') ?? stringAt(record, 'description'),
        cves: arrayAt(details, 'cves'),
        components: [component],
      },
    };
  });
}

function readArtifacts(
  json: unknown,
  artifacts: ArtifactList,
  reader: IssueReader,
  context: ParseContext,
): void {
  for (const [index, summary] of arrayAt(json, 'artifacts').entries()) {
    const pointer = `/artifacts/${index}`;
    const general = recordAt(summary, 'general');
    const id = stringAt(general, 'component_id') ?? stringAt(general, 'name') ?? '';
    const artifact = artifacts.of(id, stringAt(general, 'pkg_type'), pointer);
    const known = addLicensed(summary, artifact, context);
    reader.read(summary, 'issues', pointer, (record) => ({
      artifact,
      issue: { ...issueFields(record), components: componentsOfPaths(record, known, context) },
    }));
  }
}

/** The licenses of an artifact name its packages. Gives their ids by the part after the scheme. */
function addLicensed(summary: unknown, artifact: Artifact, context: ParseContext): Map<string, string> {
  const known = new Map<string, string>();
  for (const license of arrayAt(summary, 'licenses')) {
    const name = stringAt(license, 'name') ?? stringAt(license, 'full_name');
    for (const id of stringsAt(license, 'components')) {
      const plain = id.slice(id.indexOf('://') + '://'.length);
      known.set(plain, id);
      const named = packageOfComponent(id, context);
      if (named === null) continue;
      const licenses = name === null || /^unknown$/i.test(name) ? [] : licensesOf([name], context);
      artifact.packages.push({ ...named, licenses, direct: null });
    }
  }
  return known;
}

function componentsOfPaths(
  record: JsonRecord,
  known: ReadonlyMap<string, string>,
  context: ParseContext,
): XrayComponent[] {
  const byPackage = new Map<string, XrayComponent>();
  for (const path of stringsAt(record, 'impact_path')) {
    const named = packageOfPath(path, known, context);
    const key = JSON.stringify([named?.purl, named?.version]);
    byPackage.set(key, { package: named, fixedVersions: [], dependencyPaths: [] });
  }
  return [...byPackage.values()];
}

function readScans(json: unknown, artifacts: ArtifactList, reader: IssueReader, context: ParseContext): void {
  for (const [index, scan] of (Array.isArray(json) ? json : []).entries()) {
    const id = stringAt(scan, 'component_id') ?? '';
    const artifact = artifacts.of(id, stringAt(scan, 'package_type'), `/${index}`);
    for (const list of ['vulnerabilities', 'violations']) {
      reader.read(scan, list, `/${index}`, (record) => {
        const more = recordAt(record, 'extended_information');
        return {
          artifact,
          issue: {
            ...issueFields(record),
            id: stringAt(record, 'issue_id') ?? stringAt(record, 'license_key'),
            description: stringAt(more, 'full_description') ?? stringAt(record, 'description'),
            remediation: stringAt(more, 'remediation'),
            components: componentsOfTable(recordAt(record, 'components'), context),
          },
        };
      });
    }
  }
}

/** The components of an issue, by id, each with the chains that lead to it. */
function componentsOfTable(table: JsonRecord | null, context: ParseContext): XrayComponent[] {
  return Object.entries(table ?? {}).map(([id, details]) => ({
    package: packageOfComponent(id, context),
    fixedVersions: stringsAt(details, 'fixed_versions'),
    // The first step is the artifact itself.
    dependencyPaths: arrayAt(details, 'impact_paths')
      .slice(0, 10)
      .map((path) =>
        (Array.isArray(path) ? path : [])
          .slice(1, 100)
          .map((step) => packageOfComponent(stringAt(step, 'component_id'), context))
          .filter((named) => named !== null)
          .map(({ name, version }) => (version === null ? name : `${name}@${version}`)),
      ),
  }));
}
