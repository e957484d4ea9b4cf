/**
 * The token of an issue tracker. It is encrypted with a key of the install and bound to its tracker and to the address,
 * so that a copied row is of no use elsewhere, and a changed address gets no token.
 */
import type { InstallSecret } from '../../db/install-secret.ts';
import { seal, unseal } from '../../db/seal.ts';
import type { IssueTrackerId, TenantId } from '../../domain/ids.ts';

interface TokenOwner {
  tenantId: TenantId;
  trackerId: IssueTrackerId;
  url: string;
}

const ownerText = ({ tenantId, trackerId, url }: TokenOwner): string => `${tenantId} ${trackerId} ${url}`;

export function sealToken(token: string, owner: TokenOwner, install: InstallSecret): Buffer {
  return seal(token, ownerText(owner), install.key('issue-tracker'));
}

/** Null if the bytes are of another tracker or address, or were encrypted by an install with another secret. */
export function openToken(sealed: Buffer, owner: TokenOwner, install: InstallSecret): string | null {
  try {
    return unseal(sealed, ownerText(owner), install.key('issue-tracker')).toString();
  } catch {
    return null;
  }
}

/** The reason why a tracker whose token cannot be opened is of no use. */
export const tokenOfOtherInstall =
  'Its token was encrypted with another secret of the install. Enter it again.';
