/**
 * `/cra-notifications` and `/cra-document`: the actively exploited vulnerabilities of products with the clocks of the
 * Cyber Resilience Act, and the document of each step, to print or to send.
 */
import { Type } from 'typebox';
import { CraNotification, craItem } from '../../actions/cra/cra-schema.ts';
import { type CraPosition, craPositionOf, listCraNotifications } from '../../actions/cra/cra-store.ts';
import { isKevLoaded } from '../../actions/intel/store.ts';
import { listReadTx, type Tx, tenantReadTx } from '../../db/database.ts';
import { type CraState, type CraStep, craStates, craStepNames } from '../../domain/cra.ts';
import { cvePattern } from '../../domain/cve.ts';
import { orNotFound } from '../../domain/errors.ts';
import { type ApplicationId, getId } from '../../domain/ids.ts';
import { tenantIdOf } from '../../http/access.ts';
import { type CursorValue, declareFilters, idIn, openPage, pageParameters } from '../../http/page.ts';
import { namedObject, oneOf, page } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { findApplication, hasProducts } from '../../inventory/applications/store.ts';
import { craDocument } from './cra-document.ts';

const access = { scopes: ['vulnerabilities:read', 'applications:read'] } as const;
const tags = ['Cyber Resilience Act'];

const filters = declareFilters({
  state: {
    schema: oneOf<CraState>(craStates, 'open: a step is missing, late or not; overdue: one is late.'),
  },
  application: { schema: Type.String({ maxLength: 64, description: 'Id of the application, app_….' }) },
});

export function craRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/cra-notifications', {
    config: { access },
    schema: {
      operationId: 'listCraNotifications',
      tags,
      summary:
        'List the actively exploited vulnerabilities of products with their clocks, the next due first',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: {
        200: namedObject('CraNotificationPage', {
          ...page(CraNotification).properties,
          kev_loaded: Type.Boolean({
            description:
              "False: CISA's catalogue was never loaded, so only what a person has recorded is listed.",
          }),
          has_products: Type.Boolean({ description: 'False: no application is marked as a product.' }),
        }),
      },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { state = null, application } = request.query;
      const opened = openPage(cursors, [tenantId, 'listCraNotifications'], request.query);
      const now = new Date();
      return listReadTx(db, tenantId, async (tx) => {
        const rows = await listCraNotifications(
          tx,
          {
            state,
            applicationId: application === undefined ? null : await knownApplication(tx, application),
            after: opened.after && positionIn(opened.after),
            limit: opened.take,
          },
          now,
        );
        return {
          ...opened.answer(rows, (row) => craItem(row, now), craPositionOf),
          kev_loaded: await isKevLoaded(tx),
          has_products: await hasProducts(tx),
        };
      });
    },
  });

  app.get('/export/v1/:tenant_slug/cra-document', {
    config: { access },
    schema: {
      operationId: 'exportCraDocument',
      tags,
      summary: 'Export the document that reports an actively exploited vulnerability of a product',
      querystring: Type.Object({
        application: Type.String({ maxLength: 64, description: 'Id of the application, app_….' }),
        cve: Type.String({ pattern: cvePattern, description: 'The CVE, such as CVE-2030-1234.' }),
        step: oneOf<CraStep>(craStepNames, 'What the document is.'),
      }),
      response: {
        200: {
          description: 'One page that loads nothing. Fields that only the company can fill say so.',
          content: { 'text/html': { schema: Type.String({ examples: ['<!doctype html>'] }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const { query } = request;
      const document = await tenantReadTx(db, tenantIdOf(request), (tx) =>
        craDocument(tx, query, new Date()),
      );
      reply.header('content-disposition', `attachment; filename="${query.cve}-${query.step}.html"`);
      return reply.type('text/html; charset=utf-8').send(document);
    },
  });
}

async function knownApplication(tx: Tx, text: string): Promise<ApplicationId> {
  return orNotFound(await findApplication(tx, getId('application', text))).id;
}

// The position that `craPositionOf` gives the cursor.
function positionIn([isDone, dueAt, applicationId, cve]: CursorValue[]): CraPosition {
  return {
    isDone: isDone === 1,
    dueAt: String(dueAt),
    applicationId: idIn(applicationId),
    cve: String(cve),
  };
}
