/**
 * Finds the reports of the Trivy Operator in a document, and the workload of each. A document is one custom resource, a
 * list of them (`kubectl get … -o json`), or an object with a list for each kind. It must never read a report.
 */
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import { normalisePath } from '../reading/paths.ts';

export interface OperatorResource {
  record: JsonRecord;
  pointer: string;
  /** `VulnerabilityReport` and so on. */
  kind: string;
  namespace: string;
  /** Namespace, kind and name of the workload; the name of the resource itself if it names none. */
  workload: string;
  container: string;
}

const group = 'aquasecurity.github.io';

interface OperatorDocument {
  resources: OperatorResource[];
  /** The pointers of elements that are no objects. */
  broken: string[];
  /** True if other resources of the cluster are listed with the reports. */
  hasOthers: boolean;
}

/** Returns null if the document holds no reports of the operator. */
export function resourcesIn(json: unknown): OperatorDocument | null {
  const lists = listsOf(json);
  if (lists === null) return null;
  const resources: OperatorResource[] = [];
  const broken: string[] = [];
  let hasOthers = false;
  for (const { rows, pointer } of lists) {
    for (const [index, row] of rows.entries()) {
      const at = pointer === null ? '' : `${pointer}/${index}`;
      const record = asRecord(row);
      if (record === null) broken.push(at);
      else if (isReport(record)) resources.push(describe(record, at));
      else hasOthers = true;
    }
  }
  return { resources, broken, hasOthers };
}

interface ResourceList {
  rows: readonly unknown[];
  /** Null for a single resource, which is the document itself. */
  pointer: string | null;
}

function listsOf(json: unknown): ResourceList[] | null {
  if (Array.isArray(json)) return json.some(isReport) ? [{ rows: json, pointer: '' }] : null;
  const record = asRecord(json);
  if (record === null) return null;
  const items = field(record, 'items');
  if (Array.isArray(items)) {
    return isOfGroup(record) || items.some(isReport) ? [{ rows: items, pointer: '/items' }] : null;
  }
  if (isReport(record)) return [{ rows: [record], pointer: null }];
  const keys = Object.keys(record).filter((key) => key.endsWith(`.${group}`) && Array.isArray(record[key]));
  return keys.length === 0 ? null : keys.map((key) => ({ rows: arrayAt(record, key), pointer: `/${key}` }));
}

function isOfGroup(value: unknown): boolean {
  return (stringAt(value, 'apiVersion') ?? '').startsWith(`${group}/`);
}

function isReport(value: unknown): boolean {
  return isOfGroup(value) && /Report$/.test(stringAt(value, 'kind') ?? '');
}

const label = (labels: JsonRecord | null, name: string): string =>
  stringAt(labels, `trivy-operator.${name}`) ?? '';

function describe(record: JsonRecord, pointer: string): OperatorResource {
  const metadata = recordAt(record, 'metadata');
  const labels = recordAt(metadata, 'labels');
  const namespace = label(labels, 'resource.namespace') || (stringAt(metadata, 'namespace') ?? '');
  const kind = label(labels, 'resource.kind');
  const name = label(labels, 'resource.name') || (stringAt(metadata, 'name') ?? '');
  const workload = [namespace, kind, withoutHash(kind, name)].filter((part) => part !== '').join('/');
  return {
    record,
    pointer,
    kind: stringAt(record, 'kind') ?? '',
    namespace,
    workload: normalisePath(workload) ?? '',
    container: label(labels, 'container.name'),
  };
}

/** A deployment gives each of its replica sets a new hash, and a cron job each of its jobs a number. */
function withoutHash(kind: string, name: string): string {
  if (kind === 'ReplicaSet') return name.replace(/-[bcdf-hj-np-tv-z0-9]{5,10}$/, '');
  return kind === 'Job' ? name.replace(/-[0-9]{8,12}$/, '') : name;
}
