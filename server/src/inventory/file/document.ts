/**
 * The inventory file (YAML or JSON). It describes organizations, repositories and applications, in addition to reports.
 */
import { type Static, type TString, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { type DomainError, describeMistakes } from '../../domain/domain-error.ts';
import { invalidInput } from '../../domain/errors.ts';
import { organizationTypes } from '../../domain/organization-enums.ts';
import {
  hasUnseenCharacter,
  isPlainName,
  nameKeyOf,
  plainNameRule,
  seenNameRule,
} from '../../domain/plain-name.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import { readYaml } from '../../domain/yaml.ts';
import { matchesSchema, type SchemaError, schemaSentence } from '../../http/schema.ts';

// The names of a file are those of other systems, so the same characters are refused as in a report.
const plain = (text: TString) => Type.Refine(text, isPlainName, () => plainNameRule);
const named = (pattern: string) =>
  Type.Refine(
    plain(Type.String({ minLength: 1, maxLength: 255, pattern })),
    (text: unknown) => !hasUnseenCharacter(String(text)),
    () => seenNameRule,
  );
const name = plain(Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S(?:.*\\S)?$' }));
const path = named('^[^/\\s]+(?:/[^/\\s]+)*$');
const fullName = named('^[^/\\s]+(?:/[^/\\s]+)+$');
const externalId = Type.Optional(name);
const description = Type.Optional(
  Type.Union([
    Type.Refine(
      Type.String({ maxLength: 10_000 }),
      (text: unknown) => isPlainName(String(text).replaceAll(/[\n\t]/g, '')),
      () => plainNameRule,
    ),
    Type.Null(),
  ]),
);
const strict = { additionalProperties: false };

const settingName = '^[a-z][a-z0-9_.-]{0,62}$';
// A number of JavaScript would lose digits of `12345678901234567890` and `1.10`, so numbers are read as texts.
const settingValue = Type.Union([Type.Boolean(), Type.String({ maxLength: 255, pattern: '^\\P{Cc}*$' })]);
const setting = Type.Union([
  settingValue,
  Type.Object({ value: settingValue, manual_override: Type.Optional(Type.Boolean()) }, strict),
  Type.Null(),
]);
/** The limit is above the settings of any provider; each setting is a row and a target of policies. */
const maxSettings = 100;

const InventoryDocument = Type.Object(
  {
    organizations: Type.Optional(
      Type.Array(
        Type.Object(
          {
            full_path: path,
            name: Type.Optional(name),
            type: Type.Optional(Type.Enum([...organizationTypes])),
            external_id: externalId,
            orphaned: Type.Optional(Type.Boolean()),
            description,
            parent: Type.Optional(Type.Union([path, Type.Null()])),
          },
          strict,
        ),
      ),
    ),
    repositories: Type.Optional(
      Type.Array(
        Type.Object(
          {
            full_name: fullName,
            source: Type.Optional(Type.Enum([...repositorySources])),
            external_id: externalId,
            is_private: Type.Optional(Type.Boolean()),
            is_archived: Type.Optional(Type.Boolean()),
            is_enabled: Type.Optional(Type.Boolean()),
            is_monorepo: Type.Optional(Type.Boolean()),
            is_exposed: Type.Optional(Type.Boolean()),
            default_branch: Type.Optional(name),
            settings: Type.Optional(
              Type.Record(Type.String({ pattern: settingName }), setting, {
                ...strict,
                maxProperties: maxSettings,
              }),
            ),
          },
          strict,
        ),
      ),
    ),
    applications: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name,
            description,
            repositories: Type.Optional(Type.Array(fullName)),
          },
          strict,
        ),
      ),
    ),
  },
  strict,
);
export type Inventory = Static<typeof InventoryDocument>;

/** Parses the file. Throws DomainError with all mistakes, each with its document path. */
export function parseInventory(text: string): Inventory {
  const value = readYaml(text, { numbersAsTextBelow: 'settings' }).value ?? {};
  if (!matchesSchema(InventoryDocument, value)) {
    throw invalid([...new Set(Errors(InventoryDocument, value).flatMap(describe))]);
  }
  const { organizations = [], repositories = [], applications = [] } = value;
  const repeated = [
    ...repeatedIn('organizations', organizations, ({ full_path: key }) => key),
    ...repeatedIn('repositories', repositories, ({ full_name: key }) => key),
    ...repeatedIn('applications', applications, ({ name: key }) => key),
  ];
  if (repeated.length > 0) throw invalid(repeated);
  return value;
}

// The second of two entries would silently replace what the first says.
function repeatedIn<Entry>(list: string, entries: Entry[], keyOf: (entry: Entry) => string): string[] {
  const seen = new Map<string, number>();
  return entries.flatMap((entry, at) => {
    const key = nameKeyOf(keyOf(entry));
    const first = seen.get(key);
    if (first === undefined) seen.set(key, at);
    return first === undefined ? [] : [`/${list}/${at}: ${keyOf(entry)} is already at /${list}/${first}.`];
  });
}

/** Returns one sentence for a wrong setting, instead of one for each type that its value may have. */
function describe(error: SchemaError & { instancePath: string }): string[] {
  const { instancePath, keyword, message } = error;
  const [path, name] = /^\/repositories\/\d+\/settings\/([^/]*)/.exec(instancePath) ?? [];
  if (path === undefined || name === undefined) {
    const rule = keyword === '~refine' ? message : schemaSentence(error);
    return rule === null ? [] : [`${instancePath || '/'}: ${rule}`];
  }
  const problem = new RegExp(settingName).test(name)
    ? 'Must be true or false, a number, a text of at most 255 characters, null, or {value, manual_override} with one of them except null.'
    : `The name must match ${settingName}.`;
  return [`${path}: ${problem}`];
}

function invalid(problems: string[]): DomainError {
  return invalidInput(describeMistakes(problems));
}
