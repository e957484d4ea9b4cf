/** The types of objects in the audit log: the targets of its actions, and those that an event only mentions by id. */
import { type IdKind, parseAnyId } from '../../domain/ids.ts';

interface AuditObject {
  kind: IdKind;
  /** SQL that reads its name by `e.target_id`. Null: events have the name in their data. */
  name: string | null;
}

const nameIn = (table: string, column = 'name'): string =>
  `select ${column} from ${table} where tenant_id = $1 and id = e.target_id`;
// These tables are of the install.
const nameOfInstall = (table: string): string => `select name from ${table} where id = e.target_id`;

/** Type in the log → kind and name. The workspace is $1. */
export const auditObjects = {
  advisory_name: { kind: 'advisoryName', name: nameIn('advisory_alias', 'alias') },
  application: { kind: 'application', name: nameIn('application') },
  comment: { kind: 'comment', name: null },
  exception: {
    kind: 'exception',
    name: `select p.name from policy_exception o join policy p on p.tenant_id = $1 and p.id = o.policy_id
            where o.tenant_id = $1 and o.id = e.target_id`,
  },
  invitation: { kind: 'invitation', name: nameIn('invitation', 'email') },
  issue_tracker: { kind: 'issueTracker', name: null },
  key: { kind: 'key', name: nameOfInstall('api_key') },
  organization: { kind: 'organization', name: nameIn('organization', 'full_path') },
  policy: { kind: 'policy', name: nameIn('policy') },
  reference: { kind: 'reference', name: nameIn('reference', 'full_ref') },
  repository: { kind: 'repository', name: nameIn('repository', 'full_name') },
  saved_view: { kind: 'savedView', name: `${nameIn('saved_view')} and shared` },
  series: { kind: 'series', name: nameIn('scan_series', 'tool') },
  team: { kind: 'team', name: nameIn('team') },
  trust_rule: { kind: 'trustRule', name: null },
  user: { kind: 'user', name: nameOfInstall('user_account') },
  violation: {
    kind: 'violation',
    name: `select coalesce(x.title, p.name) from policy_violation v
             join policy p on p.tenant_id = $1 and p.id = v.policy_id
             left join vulnerability x on x.tenant_id = $1 and x.id = v.target_id
            where v.tenant_id = $1 and v.id = e.target_id`,
  },
  vulnerability: { kind: 'vulnerability', name: nameIn('vulnerability', 'title') },
  webhook: { kind: 'webhook', name: null },
  // Only the workspace itself is a target of its log. An event without a target has no name.
  workspace: { kind: 'tenant', name: 'select name from tenant where id = $1 and e.target_id is not null' },
} as const satisfies Record<string, AuditObject>;
export type AuditObjectType = keyof typeof auditObjects;

const namedObjects = Object.entries<AuditObject>(auditObjects).filter(([, { name }]) => name !== null);
const typesByKind = new Map(namedObjects.map(([type, { kind }]) => [kind, type]));

/** SQL of the name of a row `e` with a type and an id, each read by the key of its table. */
export const objectName = `case e.target_type
  ${namedObjects.map(([type, { name }]) => `when '${type}' then (${name})`).join('\n  ')} end`;

/** Parses the API's id of an object that has a name of its own. Null for any other text. */
export function parseNamedId(text: string): { type: string; id: string } | null {
  const parsed = parseAnyId(text);
  const type = parsed && typesByKind.get(parsed.kind);
  return parsed && type !== undefined ? { type, id: parsed.id } : null;
}
