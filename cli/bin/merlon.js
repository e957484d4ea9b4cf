#!/usr/bin/env node
// This file is plain JavaScript, so that a Node that is too old for TypeScript can still print the message.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `merlon needs Node 24.12 or later and runs on ${process.versions.node}.\n` +
      'In a checkout, "npx" uses the Node that npm ci installed beside it. Where install scripts are off it is ' +
      'missing; this command brings it:\n\n  npm rebuild node\n',
  );
  process.exit(2);
}
const { main } = await import('../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
