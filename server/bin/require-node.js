// Ends the program if Node is too old for it. Such a Node cannot run TypeScript, so this file is plain JavaScript.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `Merlon needs Node 24.12 or later and runs on ${process.versions.node}.\n` +
      'In a checkout, "npm run" and "npx" use the Node that npm ci installed beside it. Where install scripts are ' +
      'off it is missing; this command brings it:\n\n  npm rebuild node\n',
  );
  process.exit(2);
}
