/** The inventory file (YAML or JSON): what no report can know of organizations, repositories and applications. */
import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { LineCounter, parseDocument } from 'yaml';
import { Refusal } from '../../refusal.ts';
import { organizationTypes } from '../organizations/types.ts';
import { repositorySources } from '../repositories/types.ts';

const name = Type.String({ minLength: 1, maxLength: 255 });
const path = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^/\\s]+(?:/[^/\\s]+)*$' });
const fullName = Type.String({ minLength: 3, maxLength: 255, pattern: '^[^/\\s]+(?:/[^/\\s]+)+$' });
const externalId = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));
const strict = { additionalProperties: false };

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
            description: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
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
            default_branch: Type.Optional(name),
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
            description: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
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

/** Throws Refusal with all that is wrong, each with its place. */
export function parseInventory(text: string): Inventory {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) throw invalid(document.errors.map((error) => error.message));
  // Aliases could unfold to more than memory holds; nobody needs a hundred in an inventory.
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  if (!Check(InventoryDocument, value)) {
    throw invalid(Errors(InventoryDocument, value).map((e) => `${e.instancePath || '/'}: ${e.message}`));
  }
  return value;
}

function invalid(problems: string[]): Refusal {
  return new Refusal('invalid', problems.join('\n'));
}
