/** Reads the settings for the operator's commands. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { CommandError, exitCodes } from './command-error.ts';

/** Throws CommandError that names the wrong setting. */
export function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}

/**
 * Reads the settings of an install that is there. Throws CommandError if there is no embedded database, because a new
 * one, in a wrong directory, would look sound to a check and complete to a backup.
 */
export function readConfigOfInstall(): Config {
  const config = readConfig();
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null || existsSync(join(dataDir, 'postgres'))) return config;
  throw new CommandError(
    `There is no database in ${resolve(dataDir)}. Set MERLON_DATA_DIR or MERLON_DATABASE_URL as for the server. To make a new install, start merlond serve.`,
  );
}
