/**
 * Suggestions: statements of documents and ignore files about a vulnerability that may not decide, because the key's
 * role does not allow it or the branch is not tracked. The API shows them beside the vulnerability. This file only
 * reads.
 */

import { Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import type { VulnerabilityId } from '../domain/ids.ts';
import { shortRef } from '../domain/reference-name.ts';
import { type VexStatus, vexStatuses } from '../domain/vex-status.ts';
import {
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  oneOf,
  timestampOrNull,
} from '../http/schema.ts';
import { sqlClaimCounts, sqlClaimReference, sqlSuppressionDecides } from './counting-claims.ts';

export const Suggestion = namedObject('Suggestion', {
  by: oneOf(['vex', 'suppression']),
  says: Type.String({ description: `${vexStatuses.join(', ')}; of a suppression: ignored, accepted.` }),
  version: nullableString('Null: for all versions.'),
  ref: Type.String(),
  reason: NullableString,
  until: NullableTimestamp,
});

interface SuggestionRow {
  vex: VexStatus | null;
  version: string;
  full_ref: string;
  reason: string | null;
  until: Date | null;
}

export async function listSuggestions(tx: Tx, id: VulnerabilityId) {
  const rows = await tx.query<SuggestionRow>(
    `select s.status as vex, s.version, f.full_ref, s.reason, null::timestamptz as until
       from vulnerability v
       join vex_statement s on s.tenant_id = $1 and s.repository_id = v.repository_id and s.advisory = v.advisory
                           and s.package in (v.package, '') and not s.may_decide
       join reference f on f.tenant_id = $1 and f.id = s.reference_id
      where v.tenant_id = $1 and v.id = $2
     union all
     select distinct null::text, '', f.full_ref, w.suppression_reason, w.suppressed_until
       from vulnerability_reporter w
       ${sqlClaimReference('w')}
      where w.tenant_id = $1 and w.vulnerability_id = $2 and ${sqlClaimCounts('w')}
        and w.suppressed and not ${sqlSuppressionDecides('w')}
      order by vex nulls last, version, full_ref, reason, until`,
    [tx.tenantId, id],
  );
  return rows.map(({ vex, version, full_ref: ref, reason, until }) => ({
    by: vex === null ? ('suppression' as const) : ('vex' as const),
    says: vex === null ? (until === null ? 'ignored' : 'accepted') : vex,
    version: version === '' ? null : version,
    ref: shortRef(ref),
    reason,
    until: timestampOrNull(until),
  }));
}
