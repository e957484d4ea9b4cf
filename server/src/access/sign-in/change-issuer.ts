/** Moves identities to another issuer, after the operator has confirmed that its subjects are the same people. */
import { type Database, installTx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { issuerForm, parseIssuer } from '../../domain/issuer.ts';
import { oidcProviderId } from './identity.ts';
import { moveIdentities } from './sign-in-store.ts';

export interface IssuerChange {
  from: string | null;
  to: string;
  moved: number;
  /** Addresses of accounts whose subject already belongs to another account at the new issuer. */
  kept: string[];
}

/** `from` null means identities that were stored without an issuer. Throws DomainError. */
export async function changeIssuer(
  db: Database,
  { from, to }: { from: string | null; to: string },
): Promise<IssuerChange> {
  const checked = { from: from === null ? null : checkedIssuer(from, 'from'), to: checkedIssuer(to, 'to') };
  if (checked.from === checked.to) throw invalidInput('Must be another issuer than --from.', 'to');
  return installTx(db, async (tx) => ({
    ...checked,
    ...(await moveIdentities(tx, oidcProviderId, checked.from ?? '', checked.to)),
  }));
}

function checkedIssuer(text: string, field: string): string {
  const issuer = parseIssuer(text);
  if (issuer === undefined) {
    throw invalidInput(`Must be ${issuerForm}.`, field);
  }
  return issuer;
}
