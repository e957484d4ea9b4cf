import manifest from '../../../package.json' with { type: 'json' };

/** The version of Merlon. The root package.json is the one place where it is written. */
export const { version } = manifest;
