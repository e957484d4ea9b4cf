/**
 * A policy in the form in which people write it. It is made from the stored policy, and its parts are read and changed
 * by path. It may hold any value.
 */
import type { Policy, PolicyDocument } from '../../api/policies.ts';
import { isObject } from '../../components/is-object.ts';

/** The content of a new policy. */
export const newDocument: PolicyDocument = {
  key: '',
  status: 'active',
  target_type: 'vulnerability',
  enforcement_mode: 'warn',
  condition: { all: [{ fact: 'severity', operator: '>=', value: 'critical' }] },
};

/** The fields are in reading order, and default values are left out. */
export function documentOf(policy: Policy): PolicyDocument {
  return {
    key: policy.key,
    name: policy.name,
    status: policy.status,
    target_type: policy.target_type,
    enforcement_mode: policy.enforcement_mode,
    ...(policy.severity === null ? {} : { severity: policy.severity }),
    ...(policy.config === null ? {} : { config: policy.config }),
    condition: orderedCondition(policy.condition) as object,
    ...(Object.keys(policy.actions).length === 0 ? {} : { actions: policy.actions }),
    ...(policy.rules.length === 0
      ? {}
      : {
          rules: policy.rules.map(({ type, id, name, action, enforcement_mode: mode }) => ({
            type,
            ...(type === 'workspace' ? {} : { id: name ?? id }),
            ...(action === 'include' ? {} : { action }),
            ...(mode === null ? {} : { enforcement_mode: mode }),
          })),
        }),
  };
}

// The database orders the names of an object in its own way.
function orderedCondition(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(orderedCondition);
  if (!isObject(node)) return node;
  if ('fact' in node) {
    const { fact, operator, value, ...rest } = node;
    return { fact, operator, value, ...rest };
  }
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, orderedCondition(inner)]));
}

export type Path = readonly (string | number)[];

/** Returns the value at the path, or undefined if there is none. */
export function getIn(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, part) => {
    if (Array.isArray(node)) return typeof part === 'number' ? node[part] : undefined;
    return isObject(node) && Object.hasOwn(node, part) ? node[part] : undefined;
  }, root);
}

/** Returns a copy with the value at the path. Undefined removes it, and everything that becomes empty with it. */
export function setIn(root: PolicyDocument, path: Path, value: unknown): PolicyDocument {
  return (changed(root, path, value) as PolicyDocument | undefined) ?? {};
}

function changed(node: unknown, [part, ...rest]: Path, value: unknown): unknown {
  if (part === undefined) return value;
  if (typeof part === 'number') {
    const list = Array.isArray(node) ? [...node] : [];
    const inner = changed(list[part], rest, value);
    if (inner === undefined) list.splice(part, 1);
    else list[part] = inner;
    return list;
  }
  const object = isObject(node) ? node : {};
  const inner = changed(object[part], rest, value);
  const { [part]: _, ...others } = object;
  if (inner !== undefined)
    return Object.hasOwn(object, part) ? { ...object, [part]: inner } : { ...others, [part]: inner };
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Returns a copy with this key and name at the front. An empty name is left out. */
export function named(document: PolicyDocument, key: string, name: string): PolicyDocument {
  const { key: _, name: __, ...rest } = document;
  return { key, ...(name === '' ? {} : { name }), ...rest };
}

export function textIn(root: unknown, path: Path): string {
  const value = getIn(root, path);
  return typeof value === 'string' ? value : '';
}
