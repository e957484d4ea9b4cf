/**
 * Advisories of Python packages: package, CVE, GHSA, affected ranges, severity, CVSS 3.1, CWE, title.
 *
 * Public facts only. The files in `company/` say which of these packages the company uses.
 */
export const pythonAdvisories = `
setuptools | CVE-2022-40897 | GHSA-r9hx-vwmv-q579 | <65.5.1 | HIGH | 5.9 AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | pypa-setuptools: regular expression denial of service in package_index.py
setuptools | CVE-2024-6345 | GHSA-cx63-2mw6-8hw5 | <70.0.0 | HIGH | 8.8 AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H | CWE-94 | pypa/setuptools: remote code execution via download functions in the package_index module
requests | CVE-2023-32681 | GHSA-j8r2-6x86-q33q | >=2.3.0 <2.31.0 | MEDIUM | 6.1 AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:N/A:N | CWE-200 | python-requests: unintended leak of Proxy-Authorization header
requests | CVE-2024-35195 | GHSA-9wx4-h78v-vm56 | <2.32.0 | MEDIUM | 5.6 AV:L/AC:H/PR:H/UI:R/S:U/C:H/I:H/A:N | CWE-670 | requests: subsequent requests to the same host ignore cert verification
urllib3 | CVE-2023-43804 | GHSA-v845-jxx5-vc9f | <1.26.17, >=2.0.0 <2.0.6 | MEDIUM | 5.9 AV:N/AC:H/PR:H/UI:N/S:U/C:H/I:H/A:N | CWE-200 | python-urllib3: Cookie request header isn't stripped during cross-origin redirects
urllib3 | CVE-2023-45803 | GHSA-g4mx-q9vg-27p4 | <1.26.18, >=2.0.0 <2.0.7 | MEDIUM | 4.2 AV:A/AC:H/PR:H/UI:N/S:U/C:H/I:N/A:N | CWE-200 | urllib3: request body not stripped after redirect from 303 status changes request method to GET
urllib3 | CVE-2024-37891 | GHSA-34jh-p97f-mpxf | <1.26.19, >=2.0.0 <2.2.2 | MEDIUM | 4.4 AV:N/AC:H/PR:H/UI:N/S:U/C:H/I:N/A:N | CWE-669 | urllib3: Proxy-Authorization request header is not stripped during cross-origin redirects
certifi | CVE-2022-23491 | GHSA-43fp-rhv2-5gv8 | >=2017.11.05 <2022.12.07 | MEDIUM | 6.8 AV:N/AC:L/PR:H/UI:N/S:C/C:N/I:H/A:N | CWE-345 | python-certifi: untrusted root certificates
certifi | CVE-2023-37920 | GHSA-xqr8-7jwr-rhp7 | >=2015.04.28 <2023.07.22 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N | CWE-345 | python-certifi: removal of e-Tugra root certificate
jinja2 | CVE-2024-22195 | GHSA-h5c8-rqwp-cp95 | <3.1.3 | MEDIUM | 5.4 AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N | CWE-79 | jinja2: HTML attribute injection when passing user input as keys to xmlattr filter
jinja2 | CVE-2024-34064 | GHSA-h75v-3vvj-5mfj | <3.1.4 | MEDIUM | 5.4 AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N | CWE-79 | jinja2: accepts keys containing non-attribute characters
flask | CVE-2023-30861 | GHSA-m2qf-hxjv-5gpq | <2.2.5, >=2.3.0 <2.3.2 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N | CWE-539 | flask: possible disclosure of permanent session cookie due to missing Vary: Cookie header
werkzeug | CVE-2023-25577 | GHSA-xg9f-g7g7-2323 | <2.2.3 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-770 | python-werkzeug: high resource usage when parsing multipart form data with many fields
werkzeug | CVE-2024-34069 | GHSA-2g68-c3qc-8985 | <3.0.3 | HIGH | 7.5 AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:H | CWE-352 | python-werkzeug: user may execute code on a developer's machine
cryptography | CVE-2023-0286 | GHSA-x4qr-2fvf-3mr5 | >=0.8.1 <39.0.1 | HIGH | 7.4 AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:H | CWE-843 | openssl: X.400 address type confusion in X.509 GeneralName
cryptography | CVE-2023-50782 | GHSA-3ww4-gg4f-jr7f | <42.0.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N | CWE-208 | python-cryptography: Bleichenbacher timing oracle attack against RSA decryption
cryptography | CVE-2024-26130 | GHSA-6vqw-3v5j-54x4 | >=38.0.0 <42.0.4 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-476 | python-cryptography: NULL pointer dereference with pkcs12.serialize_key_and_certificates
pillow | CVE-2023-44271 | GHSA-8ghj-p4vj-mr35 | <10.0.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-770 | python-pillow: uncontrolled resource consumption when textlength operates on a long text
pillow | CVE-2023-4863 | GHSA-j7hp-h8jx-5ppr | <10.0.1 | HIGH | 8.8 AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H | CWE-787 | libwebp: heap buffer overflow in WebP codec
pillow | CVE-2023-50447 | GHSA-3f63-hfp8-52jq | <10.2.0 | CRITICAL | 8.1 AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-94 | pillow: arbitrary code execution via the environment parameter
pyyaml | CVE-2020-14343 | GHSA-8q59-q68h-6hv4 | <5.4 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-20 | PyYAML: incomplete fix for CVE-2020-1747
sqlparse | CVE-2023-30608 | GHSA-rrm6-wvj7-cwh2 | >=0.1.15 <0.4.4 | MEDIUM | 5.5 AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | sqlparse: parser contains a regular expression that is vulnerable to ReDoS
sqlparse | CVE-2024-4340 | GHSA-2m57-hf25-phgg | <0.5.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-674 | sqlparse: parsing heavily nested list leads to denial of service
aiohttp | CVE-2023-49081 | GHSA-q3qx-c6g2-7pw2 | <3.9.0 | MEDIUM | 5.3 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N | CWE-20 | aiohttp: HTTP request modification
aiohttp | CVE-2024-23334 | GHSA-5h86-8mv2-jq9f | >=1.0.5 <3.9.2 | MEDIUM | 5.9 AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N | CWE-22 | aiohttp: follow_symlinks directory traversal vulnerability
aiohttp | CVE-2024-30251 | GHSA-5m98-qgg9-wh84 | <3.9.4 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-835 | aiohttp: DoS when trying to parse malformed POST requests
apache-airflow | CVE-2023-42792 | - | <2.7.2 | MEDIUM | 6.5 AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N | CWE-668 | Apache Airflow: improper access control to DAG resources
apache-airflow | CVE-2024-39877 | - | >=2.4.0 <2.9.3 | HIGH | 8.8 AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H | CWE-94 | Apache Airflow: DAG author code execution possibility in airflow-scheduler
paramiko | CVE-2023-48795 | GHSA-45x7-px36-x8w8 | <3.4.0 | MEDIUM | 5.9 AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:N | CWE-354 | ssh: prefix truncation attack on Binary Packet Protocol (BPP)
pyarrow | CVE-2023-47248 | GHSA-5wvp-7f3h-6wmm | >=0.14.0 <14.0.1 | CRITICAL | 9.8 AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H | CWE-502 | PyArrow: arbitrary code execution when loading a malicious data file
tornado | CVE-2023-28370 | GHSA-hj3f-6gcp-jg8j | <6.3.2 | MEDIUM | 6.1 AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N | CWE-601 | python-tornado: open redirect vulnerability in StaticFileHandler under certain configurations
idna | CVE-2024-3651 | GHSA-jjg7-2v4v-x38h | <3.7 | MEDIUM | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H | CWE-1333 | python-idna: potential DoS via resource consumption via specially crafted inputs to idna.encode()
gunicorn | CVE-2024-1135 | GHSA-w3h3-4rj7-4ph4 | <22.0.0 | HIGH | 7.5 AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N | CWE-444 | python-gunicorn: HTTP request smuggling due to improper validation of Transfer-Encoding headers
numpy | CVE-2021-41496 | - | <1.22.0 | MEDIUM | 5.5 AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H | CWE-120 | numpy: buffer overflow in the array_from_pyobj() in fortranobject.c
`;
