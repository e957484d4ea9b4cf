/** `/manage/v1/{tenant_slug}/notifications`: what the person at the console gets by mail from the workspace. */
import { Type } from 'typebox';
import { isAddressProved } from '../../access/users/lookup.ts';
import { type Tx, tenantReadTx, tenantTx } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { findMailSettings, MailSettings, upsertMailSettings } from './mail-store.ts';

// The settings belong to a person, so a key cannot read or change them.
const access = { session: 'any' } as const;
const tags = ['Notifications'];

const Notifications = namedObject('Notifications', {
  ...MailSettings.properties,
  mail_available: Type.Boolean({ description: 'False: the server has no mail server, and sends nothing.' }),
  address_proved: Type.Boolean({
    description: 'False: nobody has confirmed that the address is that of the caller, who gets no mails.',
  }),
});

export function mailRoutes(app: Server): void {
  const { db, config } = app.deps;
  const shown = async (tx: Tx, userId: UserId, settings: MailSettings) => ({
    ...settings,
    mail_available: config.smtp !== null,
    address_proved: await isAddressProved(tx, userId),
  });

  app.get('/manage/v1/:tenant_slug/notifications', {
    config: { access },
    schema: {
      operationId: 'getNotifications',
      tags,
      summary: 'Get what you receive by mail from the workspace',
      response: { 200: Notifications },
    },
    handler: async (request) => {
      const { tenant, user } = principalOf(request);
      return tenantReadTx(db, tenant.id, async (tx) =>
        shown(tx, user.id, await findMailSettings(tx, user.id)),
      );
    },
  });

  app.patch('/manage/v1/:tenant_slug/notifications', {
    config: { access, conflicts: true },
    schema: {
      operationId: 'changeNotifications',
      tags,
      summary: 'Change what you receive by mail from the workspace',
      body: Type.Partial(MailSettings, { additionalProperties: false }),
      response: { 200: Notifications },
    },
    handler: async (request) => {
      const { tenant, user } = principalOf(request);
      return tenantTx(db, tenant.id, async (tx) => {
        const settings = {
          ...(await findMailSettings(tx, user.id)),
          ...request.body,
        };
        await upsertMailSettings(tx, user.id, settings, new Date());
        return shown(tx, user.id, settings);
      });
    },
  });
}
