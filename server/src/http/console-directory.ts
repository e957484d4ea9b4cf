import { fileURLToPath } from 'node:url';

/** The directory into which `npm ci`, or else the first start, builds the console. */
export const consoleDirectory = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
