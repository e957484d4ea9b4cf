/**
 * The app of the drivers: React Native with Kotlin for Android.
 *
 * Its story: an old toolchain with critical findings that is upgraded late, and a few native findings.
 */
import { absent, type Repository } from './repository.ts';

export const driverApp: Repository = {
  name: 'kestrel-freight/driver-app',
  schedule: { trivy: 1, semgrep: 4, gitleaks: 4 },
  gitleaksScope: 'files',
  manifests: [
    {
      path: 'package-lock.json',
      ecosystem: 'npm',
      packages: {
        'react-native': { 0: '0.63.4', 6: '0.72.6' },
        '@babel/traverse': { 0: '7.20.1', 6: '7.23.2' },
        'shell-quote': { 0: '1.6.1', 6: '1.8.1' },
        'loader-utils': { 0: '2.0.2', 5: '2.0.4' },
        'decode-uri-component': { 0: '0.2.0', 5: '0.2.2' },
        minimist: '1.2.5',
        semver: { 0: '5.7.1', 6: '5.7.2' },
        ip: '1.1.5',
        'fast-xml-parser': { 0: '4.0.12', 6: '4.2.4' },
        'ua-parser-js': { 2: '0.7.31' },
        ws: '7.5.9',
        axios: { 0: '0.27.2', 7: '1.6.8' },
        json5: { 0: '2.2.1', 4: '2.2.3' },
        'node-fetch': '2.6.7',
        braces: '3.0.2',
        nanoid: { 3: '3.3.4' },
        moment: { 0: '2.29.1', 2: absent },
      },
    },
  ],
  code: `
use-of-md5 | android/app/src/main/java/com/kestrel/driver/Signature.kt:31 | 0- | val digest = MessageDigest.getInstance("MD5")
unencrypted-socket | android/app/src/main/java/com/kestrel/driver/ScannerLink.kt:44 | 0- | val socket = Socket(host, 9100)
exported_activity | android/app/src/main/AndroidManifest.xml:27 | 0-3 | <activity android:name=".DeepLinkActivity" android:exported="true" />
exported_activity | android/app/src/main/AndroidManifest.xml:35 | 4- | <activity android:name=".ShareActivity" android:exported="true" />
http-request | src/api/depot-printer.ts:18 | 0- | await fetch('http://printer.depot.kestrel.example/print', { method: 'POST', body: label });
detect-non-literal-regexp | src/scan/barcode.ts:22 | 0-5 | if (new RegExp(carrier.pattern).test(code)) {
unsafe-formatstring | src/log.ts:14 | 0- | console.log('position ' + driver.id, position);
`,
  misconfigurations: '',
  secrets: `
generic | android/app/src/main/res/values/keys.xml:4 | 0- | <string name="maps_key">«kestrel-dummy-maps-key»</string>
aws-key | fastlane/.env.default:2 | 0-4 | AWS_ACCESS_KEY_ID=«*»
`,
  licenses: '',
  branches: [],
};
