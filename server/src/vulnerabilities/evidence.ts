/**
 * Evidence of a vulnerability: the part of a tool's report that proves and explains it. This file owns the form in
 * which it is stored, and the form in which the detail shows it.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import type { VulnerabilityId } from '../domain/ids.ts';
import { NullableInteger, NullableString, namedObject, nullableString } from '../http/schema.ts';
import type { ReportEvidence } from '../parsers/report.ts';

/** The stored part of a finding's own evidence. A field is absent if the report does not have it. */
export type EvidenceContent = Partial<Omit<ReportEvidence, 'help'>>;

export const NullableEvidence = Type.Union(
  [
    namedObject('Evidence', {
      snippet: Type.Union([
        Type.Object({
          text: Type.String({ description: 'Lines of code; secrets are removed.' }),
          first_line: NullableInteger,
          marked_from: NullableInteger,
          marked_to: NullableInteger,
        }),
        Type.Null(),
      ]),
      data_flow: Type.Array(
        Type.Object({ path: NullableString, line: NullableInteger, text: Type.String() }),
        { description: 'Steps from the source to the sink.' },
      ),
      help: nullableString(
        'Explanation of the rule by the tool, in Markdown. Do not trust it: sanitize the HTML that you make of it.',
      ),
      remediation: nullableString('How to fix it, in Markdown; do not trust it either.'),
      dependency_paths: Type.Array(Type.Array(Type.String()), {
        description: 'Chains of name@version, from a direct dependency of the project to the package.',
      }),
    }),
    Type.Null(),
  ],
  { description: 'Data of the tools that proves and explains the vulnerability.' },
);

// Below this length, compression saves little for its time.
const shortLength = 200;
const zlibHeader = 0x78;

/** Packs the text for a column: unchanged if it is short, else compressed. */
export function packText(text: string): Buffer {
  const bytes = Buffer.from(text);
  // Text that begins like compressed text is compressed too, so that the first byte tells which it is.
  if (bytes.length < shortLength && bytes[0] !== zlibHeader) return bytes;
  // A smaller buffer than by default, which saves a third of the time for texts of this length.
  return deflateSync(bytes, { level: 1, chunkSize: 4_096 });
}

function unpackText(packed: Buffer): string {
  return (packed[0] === zlibHeader ? inflateSync(packed) : packed).toString();
}

interface EvidenceRow {
  content: Buffer;
  help: Buffer | null;
}

/**
 * Returns the evidence of a vulnerability, null if there is none. If several tools have evidence, each part is that of
 * the first one: the default branch's before others, then by the name of the tool.
 */
export async function findEvidence(tx: Tx, id: VulnerabilityId): Promise<Static<typeof NullableEvidence>> {
  const rows = await tx.query<EvidenceRow>(
    `select e.content, h.text as help
       from vulnerability_evidence e
       left join vulnerability v on v.tenant_id = $1 and v.id = e.vulnerability_id
       left join rule_help h on h.tenant_id = $1 and h.repository_id = v.repository_id and h.key = e.help_key
      where e.tenant_id = $1 and e.vulnerability_id = $2
      order by e.on_default desc, e.tool`,
    [tx.tenantId, id],
  );
  if (rows.length === 0) return null;
  const contents = rows.map((row) => JSON.parse(unpackText(row.content)) as EvidenceContent);
  const first = <Part>(pick: (content: EvidenceContent) => Part | undefined): Part | null =>
    contents.map(pick).find((part) => part !== undefined) ?? null;
  const snippet = first((content) => content.snippet);
  const help = rows.find((row) => row.help !== null)?.help ?? null;
  return {
    snippet: snippet && {
      text: snippet.text,
      first_line: snippet.firstLine,
      marked_from: snippet.markedFrom,
      marked_to: snippet.markedTo,
    },
    data_flow: first((content) => content.dataFlow) ?? [],
    help: help && unpackText(help),
    remediation: first((content) => content.remediation),
    dependency_paths: first((content) => content.dependencyPaths) ?? [],
  };
}
