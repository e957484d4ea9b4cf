/** Reads the verdict after an upload: of the commit that was sent with the reports, or of its reference. */
import type { UploadQuery } from '../upload/parameters.ts';
import type { SentScan } from '../upload/send-report.ts';
import type { UploadCheck } from './fetch-gate.ts';
import { type GateOptions, type GateQuery, termsOf } from './gate-query.ts';
import { explainUnsuccessful, unsuccessfulScans } from './labels.ts';

export function queryAfterUpload(scan: SentScan, parameters: UploadQuery, options: GateOptions): GateQuery {
  const { sha } = parameters;
  // The server may know the repository by another name, and another repository by the name that was sent.
  return {
    repo: scan.repository.id,
    ref: fullRef(scan.reference),
    ...(sha === undefined ? {} : { sha }),
    ...termsOf(options),
  };
}

/**
 * Takes the verdict away from an upload of a run that did not succeed, because its reference may keep the verdict of an
 * earlier run. A partial report of nothing counts, as it does for a commit, and so does a run with rows that could not
 * be read.
 */
export function refuseVerdictOfEarlierRun(scanIds: string[], { partial }: { partial?: true }): UploadCheck {
  return (gate) => {
    const unsuccessful = unsuccessfulScans(gate);
    const ofUpload = unsuccessful.filter(({ id }) => scanIds.includes(id));
    const counts = ofUpload.some(
      ({ outcome }) => outcome === 'failed' || (outcome === 'scanned_nothing' && !partial),
    );
    return counts ? explainUnsuccessful(unsuccessful) : null;
  };
}

/** Handles a partly failed upload: there is no verdict, whatever the other reports would give. */
export const refuseAnyVerdict: UploadCheck = () => ({ kind: 'refused', text: 'a report was not accepted' });

// A tag may have the same name as a branch.
function fullRef({ ref, type }: SentScan['reference']): string {
  if (ref.startsWith('refs/') || type === 'pull_request') return ref;
  return `refs/${type === 'tag' ? 'tags' : 'heads'}/${ref}`;
}
