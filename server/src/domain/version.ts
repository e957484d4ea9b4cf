import manifest from '../../../package.json' with { type: 'json' };

/** The version of Merlon. It is written in the root package.json alone. */
export const { version } = manifest;
