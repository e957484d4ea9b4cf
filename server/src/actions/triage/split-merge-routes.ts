/** `/manage/v1/{tenant_slug}/vulnerabilities`: splits and merges vulnerabilities that were matched wrongly. */

import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { importTx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, namedObject, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { mergeByHand, splitByHand } from './split-merge.ts';

const access = { scopes: ['vulnerabilities:write'], role: 'admin' } as const;
const reason = Type.String({ minLength: 1, maxLength: 2000, description: 'Shown in the history.' });
const Outcome = namedObject('ResultingVulnerability', {
  id: Type.String({
    description: 'The vulnerability that remains after the merge, or that the split has created.',
  }),
});
// A person selects fewer by hand.
const maxAtOnce = 200;

function ids(description: string) {
  return Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: maxAtOnce, description });
}

export function splitMergeRoutes(app: Server): void {
  const { db } = app.deps;

  app.post('/manage/v1/:tenant_slug/vulnerabilities/:vulnerability/merge', {
    config: { access },
    schema: {
      operationId: 'mergeVulnerabilities',
      tags: ['Triage'],
      summary:
        'Merge other vulnerabilities of the repository into this one; afterwards their ids show this one',
      params: vulnerabilityParams,
      body: closedObject({ others: ids('The vulnerabilities that are merged into this one.'), reason }),
      response: { 200: Outcome },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { others, reason } = request.body;
      const merge = { into: request.params.vulnerability, others, reason };
      const { id } = await importTx(db, principal.tenant.id, (tx) =>
        mergeByHand(tx, merge, actorOf(principal), () => app.checkStill(request)),
      );
      return { id: formatId('vulnerability', id) };
    },
  });

  app.post('/manage/v1/:tenant_slug/vulnerabilities/:vulnerability/split', {
    config: { access },
    schema: {
      operationId: 'splitVulnerability',
      tags: ['Triage'],
      summary:
        'Split locations of this vulnerability off, here and on other references, into a vulnerability of their own',
      params: vulnerabilityParams,
      body: closedObject({ locations: ids('Ids of locations, loc_….'), reason }),
      response: { 200: Outcome },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { locations, reason } = request.body;
      const split = { vulnerability: request.params.vulnerability, locations, reason };
      const { id } = await importTx(db, principal.tenant.id, (tx) =>
        splitByHand(tx, split, actorOf(principal), () => app.checkStill(request)),
      );
      return { id: formatId('vulnerability', id) };
    },
  });
}

const vulnerabilityParams = paramsWith({ vulnerability: 'Id of the vulnerability, vc_….' });
