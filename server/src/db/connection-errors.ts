/** Errors of an operator's PostgreSQL server, as texts that name the setting and say what to do. */

export type UrlSetting = 'MERLON_DATABASE_URL' | 'MERLON_DATABASE_OWNER_URL';

const oldestVersion = 15;

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

// PostgreSQL ends the connection, is starting, or has no connection left.
const lostCodes = new Set(['EPIPE', '57P01', '57P02', '57P03', '57P05', '53300']);

// A coordinator of Citus has lost a worker. It has no better class for the error of a connection in use.
const lostNode = /connection marked as essential|server closed the connection|connection not open/;

/**
 * Explains an error of the connection by the address of this setting, or of its first statements. Other errors are
 * returned unchanged.
 */
export function explainConnectionError(error: unknown, setting: UrlSetting, url: string): unknown {
  const { code, message } = error as { code?: string; message: string };
  const { username, host, pathname } = new URL(url);
  const role = decodeURIComponent(username);
  const database = decodeURIComponent(pathname.slice(1));
  const explained = (text: string, as = code): Error =>
    Object.assign(new Error(`${setting}: ${text}`, { cause: error }), as === undefined ? {} : { code: as });
  if (message === 'timeout expired' || (code !== undefined && unreachableCodes.has(code))) {
    return explained(
      `no PostgreSQL answers at ${host} (${code ?? 'no answer in 10 seconds'}). Check the address, and that the server runs and lets this machine connect.`,
      'ETIMEDOUT',
    );
  }
  switch (code) {
    case '28P01':
    case '28000':
      return explained(
        `the server at ${host} refuses the role ${role}: ${message}. The password is wrong, the role does not exist, or pg_hba.conf lets it not in. merlond migrate makes the role of MERLON_DATABASE_URL; ALTER ROLE … PASSWORD gives a role that exists another password.`,
      );
    case '3D000':
      return explained(
        `the server at ${host} has no database ${database}. Make it once: CREATE DATABASE ${database} OWNER followed by the role of MERLON_DATABASE_OWNER_URL.`,
      );
    case '42501':
      return explained(
        `the role ${role} lacks rights in the database ${database}: ${message}. Run merlond migrate with this MERLON_DATABASE_URL, as the owner.`,
      );
    case '53300':
    case '57P03':
      return explained(`the server at ${host} takes no connection now: ${message}.`, 'ETIMEDOUT');
  }
  return error;
}

/** True for an error of a connection that could not be opened, or has ended, or that the server does not take. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message = '', routine } = error as { code?: string; message?: string; routine?: string };
  return (
    unreachableCodes.has(code) ||
    lostCodes.has(code) ||
    // Class 08 has the errors of connections. A pooler gives 08P01 to most of its own errors, and PostgreSQL, which
    // names the routine, to a malformed message.
    (code.startsWith('08') && (code !== '08P01' || routine === undefined)) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(message) ||
    (code === 'XX000' && lostNode.test(message))
  );
}

/** True if the disk of PostgreSQL was full when a statement wrote. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** `versionNumber` is PostgreSQL's `server_version_num`, such as 150020. */
export function refuseOldServer(versionNumber: number, setting: UrlSetting): void {
  const version = Math.floor(versionNumber / 10_000);
  if (version >= oldestVersion) return;
  throw new Error(
    `${setting}: the server is PostgreSQL ${version}, and Merlon needs ${oldestVersion} or later. Upgrade the server, or use another one.`,
  );
}
