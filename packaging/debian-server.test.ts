/**
 * Runs "On a Debian server" of docs/install.md, and what docs/backup.md and docs/upgrade.md say of such a server: each
 * command, as root, on a clean Debian 12 with its PostgreSQL 15 and the packed server. systemd does not run in a root
 * made by debootstrap, so a script in its place starts the commands of the units, as their users, with their files of
 * settings.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onlyInFull } from '../server/test/support/form.ts';
import { createDirectory } from '../server/test/support/process.ts';
import { commandInside, makeBase } from './image-root.ts';
import { pack } from './pack.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const blocks = blocksOf('docs/install.md', 'On a Debian server');
const [upgrade = ''] = blocksOf('docs/upgrade.md', 'On a server of PostgreSQL');
const install = /^npm install @merlon\/server@\d+\.\d+\.\d+ .*$/m;

function blocksOf(path: string, heading: string): string[] {
  const [, section = ''] =
    new RegExp(`^## ${heading}$(.*?)^## `, 'ms').exec(readFileSync(join(root, path), 'utf8')) ?? [];
  return Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, block = '']) => block);
}

const needed = ['debootstrap', 'unshare', 'chroot', 'ip'].filter(
  (program) => spawnSync('which', [program]).status !== 0,
);
const skip =
  onlyInFull ||
  (process.getuid?.() !== 0
    ? 'chroot needs root'
    : needed.length > 0 && `${needed.join(', ')} is not installed`);

/** This script does what systemd would do with a unit. A service without a user runs as root without capabilities. */
const systemctl = `#!/bin/bash
set -euo pipefail
units=/etc/systemd/system
value() { sed -n "s/^$1=//p" "$units/$2"; }
start() {
  user=$(value User "$1"); user=\${user:-root}
  state=/var/lib/$(value StateDirectory "$1")
  if [ "$state" != /var/lib/ ]; then install -d -m 700 -o "$user" "$state"; cd "$state"; fi
  set -a
  for line in $(value Environment "$1"); do eval "export $line"; done
  for file in $(value EnvironmentFile "$1"); do if [ -f "\${file#-}" ]; then . "\${file#-}"; fi; done
  set +a
  privileges=(--inh-caps=-all --bounding-set=-all)
  if [ "$user" != root ]; then privileges+=(--reuid="$user" --regid="$user" --init-groups); fi
  umask 077
  command=$(value ExecStart "$1" | sed 's/%%/%/g')
  if [ "$(value Type "$1")" = oneshot ]; then eval "setpriv \${privileges[*]} $command"
  else eval "setpriv \${privileges[*]} $command" > "/var/log/$1" 2>&1 & echo $! > "/run/$1.pid"; fi
}
case "$1" in
  daemon-reload) ;;
  enable) for unit in "\${@:3}"; do case "$unit" in *.service) start "$unit";; *) test -f "$units/$unit";; esac; done;;
  start) start "$2";;
  # Stopping a unit that does not run succeeds.
  stop) for unit in "\${@:2}"; do
    test -f "$units/$unit"
    if [ -f "/run/$unit.pid" ]; then
      pid=$(cat "/run/$unit.pid"); rm "/run/$unit.pid"; kill "$pid"; tail --pid="$pid" -f /dev/null
    fi
  done;;
  reload) "$2";;
esac
`;

/** Runs a script in the Debian; nothing that it starts outlives it. `isolated`: with a network of its own. */
function inside(debian: string, isolated: boolean, script: string): string {
  const namespaces = ['--pid', '--fork', '--kill-child', ...(isolated ? ['--net'] : [])];
  const up = isolated ? 'ip link set lo up; ' : '';
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [...namespaces, 'sh', '-euc', `${up}exec "$@"`, 'sh', ...commandInside(debian, script)],
    { encoding: 'utf8', input: 'correct horse battery\n', timeout: 540_000, maxBuffer: 64 * 1024 * 1024 },
  );
  assert.equal(status, 0, `${stdout.slice(-6_000)}\n${stderr.slice(-6_000)}`);
  return stdout + stderr;
}

test('the upgrade of a Debian server stops server and worker, installs a named version, migrates and starts again', () => {
  const order = [
    /^systemctl stop merlon\.service merlon-worker\.service$/m,
    install,
    / migrate$/m,
    /^systemctl start merlon\.service$/m,
  ].map((command) => upgrade.search(command));
  assert.ok(
    order.every((at, i) => at > (order[i - 1] ?? -1)),
    upgrade,
  );
});

test('a clean Debian serves by the commands of the guide, is backed up, restored, upgraded and pruned', {
  skip,
  timeout: 900_000,
}, async () => {
  assert.equal(blocks.length, 6);
  const directory = createDirectory();
  const debian = join(directory, 'debian');
  makeBase('node:24-bookworm-slim', debian);
  const release = await pack(join(directory, 'dist'));
  const tarball = readdirSync(release).find((name) => name.startsWith('merlon-server-')) ?? '';
  cpSync(join(release, tarball), join(debian, 'root', tarball));
  cpSync(join(root, 'server/test/fixtures/trivy/repository.json'), join(debian, 'root/trivy.json'));
  writeFileSync(join(debian, 'usr/local/bin/systemctl'), systemctl);
  // The packages must not start PostgreSQL and nginx: they start below, in a network of their own.
  writeFileSync(join(debian, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n');
  for (const path of ['usr/local/bin/systemctl', 'usr/sbin/policy-rc.d'])
    chmodSync(join(debian, path), 0o755);

  const packages = blocks.flatMap((block) => block.match(/^apt-get .*$/gm) ?? []);
  assert.equal(packages.length, 2);
  const [programs = '', ...rest] = blocks.map((block) =>
    block.replace('@merlon/server\n', `/root/${tarball}\n`).replace(/^apt-get .*\n/gm, ''),
  );
  inside(
    debian,
    false,
    ['export DEBIAN_FRONTEND=noninteractive', 'apt-get update', ...packages, programs].join('\n'),
  );

  const said = inside(
    debian,
    true,
    `
    cd /opt/merlon
    # The package does this where init runs.
    pg_conftool 15 main set port 5432; pg_ctlcluster 15 main start
    openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=merlon.example.com \\
      -out /etc/nginx/merlon.crt -keyout /etc/nginx/merlon.key 2> /dev/null
    nginx -s reload 2> /dev/null || nginx
    ${rest.join('\n').replace('systemctl reload nginx', 'nginx -s reload')}
    echo "127.0.0.1 merlon.example.com" >> /etc/hosts
    node -e '
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      const until = Date.now() + 60000;
      const ask = () => fetch("https://merlon.example.com/readyz").then((r) => r.status, () => 0).then((status) => {
        if (status === 200) return console.log("ready behind nginx");
        if (Date.now() > until) throw new Error("not ready");
        return new Promise((resolve) => setTimeout(resolve, 200)).then(ask);
      });
      ask();' 2> /dev/null
    service="--settings /etc/merlon/merlon.env"
    merlond $service scan import /root/trivy.json --workspace acme --repo acme/shop

    systemctl start merlon-backup.service
    backup=$(ls /var/lib/merlon-backups/merlon-*.backup)
    ls -l $backup /etc/merlon
    if setpriv --reuid=merlon --regid=merlon --clear-groups cat $backup /etc/merlon/owner.env; then exit 1; fi

    runuser -u postgres -- psql -q -c "create database restored owner merlon_owner encoding 'UTF8' template template0"
    sed 's#/merlon$#/restored#' /etc/merlon/merlon.env > /root/restored.env
    sed 's#/merlon$#/restored#' /etc/merlon/owner.env >> /root/restored.env
    merlond --settings /root/restored.env migrate
    merlond --settings /root/restored.env restore $backup
    merlond --settings /root/restored.env doctor
    merlond --settings /root/restored.env report --workspace acme --json > /root/restored.json
    merlond $service report --workspace acme --json > /root/served.json
    node -e '
      const [a, b] = ["served", "restored"].map((name) => JSON.parse(fs.readFileSync("/root/" + name + ".json")));
      delete a.at; delete b.at;
      assert.deepEqual(a, b); console.log("the restored report is equal");'

    if systemctl start merlon-prune.service; then exit 1; fi
    echo MERLON_KEEP_FIXED_DAYS=30 >> /etc/merlon/merlon.env
    systemctl start merlon-prune.service

    ${upgrade.replace(install, `npm install --prefer-offline --no-audit --no-fund /root/${tarball} 2> /dev/null`)}
    `,
  );
  for (const expected of [
    /ready behind nginx/,
    /rows in .* seconds/,
    /restored \d+ rows of 1 workspaces/,
    /the restored report is equal/,
    /All data is kept for ever/,
    /deleted 0 fixed vulnerabilities/,
    /nothing to do: schema\.sql/,
    /-rw------- 1 root +root +.*owner\.env/,
    /-rw-r----- 1 root +merlon +.*secret/,
    /Permission denied/,
  ])
    assert.match(said, expected);
  assert.doesNotMatch(said, /^fault/m);
  assert.match(said, /^ok {7}encoding: UTF8$/m);
  assert.match(said, /^ok {7}secret file: \/etc\/merlon\/secret has the mode 0640$/m);
});
