/**
 * `PATCH /manage/v1/{tenant_slug}/applications/{application}/cra-notifications/{cve}`: an admin records what was
 * reported.
 */
import { Type } from 'typebox';
import { tenantTx } from '../../db/database.ts';
import { parseTime } from '../../domain/time.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, nullableString, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { CraNotification, craItem } from './cra-schema.ts';
import { type GivenSteps, recordCraSteps } from './record-steps.ts';

const tags = ['Cyber Resilience Act'];
const maxReason = 2_000;

const time = (description: string) => nullableString(`${description} RFC 3339.`, { maxLength: 64 });
/** The times that a person records. */
const recordedTimes = {
  early_warning_at: time('When the early warning was sent.'),
  notification_at: time('When the notification was sent.'),
  measure_at: time('When a corrective or mitigating measure was available.'),
  final_report_at: time('When the final report was sent.'),
} as const;

export function craRecordRoutes(app: Server): void {
  const { db } = app.deps;

  app.patch('/manage/v1/:tenant_slug/applications/:application/cra-notifications/:cve', {
    config: { access: { scopes: ['workspace:admin'], role: 'admin' }, conflicts: true },
    schema: {
      operationId: 'recordCraSteps',
      tags,
      summary: 'Record what was reported about an actively exploited vulnerability of a product, and when',
      params: paramsWith({
        application: 'Id of the application, app_….',
        cve: 'The CVE, such as CVE-2030-1234.',
      }),
      body: closedObject({
        version: Type.Integer({ minimum: 0, description: 'As read; 0: nothing is recorded yet.' }),
        aware_at: Type.Optional(
          Type.String({ maxLength: 64, description: 'When the company became aware. RFC 3339.' }),
        ),
        ...Type.Partial(Type.Object(recordedTimes)).properties,
        not_reportable_reason: Type.Optional(
          nullableString('Why nothing is to be reported; null: the clocks run again.', {
            minLength: 1,
            maxLength: maxReason,
          }),
        ),
      }),
      response: { 200: CraNotification },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { application, cve } = request.params;
      const { version, ...body } = request.body;
      const now = new Date();
      const row = await tenantTx(db, principal.tenant.id, (tx) =>
        recordCraSteps(tx, principal, { application, cve, version, given: givenOf(body) }, now),
      );
      return craItem(row, now);
    },
  });
}

function givenOf(body: {
  aware_at?: string;
  not_reportable_reason?: string | null;
  [time: string]: string | null | undefined;
}): GivenSteps {
  const { not_reportable_reason: reason, ...times } = body;
  const given = Object.entries(times).flatMap(([field, text]) =>
    text === undefined ? [] : [[field, text === null ? null : parseTime(text, field)]],
  );
  return { ...Object.fromEntries(given), ...(reason === undefined ? {} : { not_reportable_reason: reason }) };
}
