/**
 * The SPDX format and its encodings: version 2 as JSON and as tag-value, version 3 as JSON-LD. It is an inventory of
 * packages. Its run has the format's own name and closes nothing of the tool that wrote it. One without any advisory
 * closes nothing at all.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { type Report, ReportError } from '../report.ts';
import { readDocument } from './document.ts';
import { isGraph, readGraph } from './graph.ts';
import { documentOfTagValue, isTagValue } from './tag-value.ts';

export const spdx: Format = {
  name: 'spdx',
  marks: ['spdxVersion', 'SPDXID', 'packages', 'relationships'],
  recognises: ({ json, text }) =>
    json === undefined
      ? isTagValue(text)
      : isGraph(json) || versionOf(wrappedDocument(json).document) !== null,
  parse,
};

function parse({ json, text }: ReportDocument, context: ParseContext): Report {
  if (isGraph(json)) return readGraph(json, context);
  const { document, pointer } =
    json === undefined ? { document: documentOfTagValue(text, context), pointer: '' } : wrappedDocument(json);
  if (versionOf(document)?.startsWith('2.') !== true) {
    throw new ReportError('UNKNOWN_FORMAT', 'This version of SPDX is not supported. Send version 2 or 3.', {
      pointer: `${pointer}/spdxVersion`,
    });
  }
  return readDocument(document, pointer, context);
}

/** GitHub's dependency graph wraps its document in `sbom`. */
function wrappedDocument(json: unknown): { document: unknown; pointer: string } {
  const inside = recordAt(json, 'sbom');
  return stringAt(inside, 'spdxVersion') === null
    ? { document: json, pointer: '' }
    : { document: inside, pointer: '/sbom' };
}

function versionOf(document: unknown): string | null {
  const version = stringAt(document, 'spdxVersion');
  return version?.startsWith('SPDX-') === true ? version.slice('SPDX-'.length) : null;
}
