/**
 * The nightly jobs that count, forecast and print labels: Python.
 *
 * Its story: slow upgrades in two manifests, one Semgrep report with a row that is no result, and at the end a Trivy
 * run that stopped half-way and would close nearly everything.
 */
import type { Repository } from './repository.ts';

export const dataJobs: Repository = {
  name: 'kestrel-freight/data-jobs',
  schedule: { trivy: 1, semgrep: 1, gitleaks: 2 },
  gitleaksScope: 'files',
  manifests: [
    {
      path: 'requirements.txt',
      ecosystem: 'pip',
      packages: {
        setuptools: { 0: '59.6.0', 4: '65.5.1' },
        requests: '2.28.1',
        urllib3: { 0: '1.26.12', 3: '1.26.17' },
        certifi: { 0: '2022.09.24', 2: '2023.05.07' },
        jinja2: '3.1.2',
        flask: { 0: '2.2.2', 3: '2.2.5' },
        werkzeug: { 0: '2.2.2', 3: '2.3.8' },
        cryptography: { 0: '38.0.4', 5: '41.0.7' },
        pyyaml: { 0: '5.3.1', 1: '6.0.1' },
        sqlparse: '0.4.3',
        aiohttp: { 0: '3.8.4', 6: '3.9.1' },
        'apache-airflow': '2.6.3',
        paramiko: '2.12.0',
        pyarrow: { 2: '12.0.1' },
        tornado: '6.2',
        idna: '3.4',
        gunicorn: '20.1.0',
        numpy: '1.21.6',
        pandas: '2.1.4',
        'scikit-learn': '1.5.0',
      },
    },
    {
      path: 'services/labels/requirements.txt',
      ecosystem: 'pip',
      packages: {
        pillow: { 0: '9.5.0', 5: '10.0.1' },
        setuptools: '65.5.1',
        reportlab: '4.0.9',
      },
    },
  ],
  code: `
subprocess-shell-true | jobs/export/upload.py:47 | 0- | subprocess.run("aws s3 cp " + path + " " + bucket, shell=True)
subprocess-shell-true | jobs/archive/compress.py:31 | 0-3 | subprocess.check_call("gzip -9 " + name, shell=True)
subprocess-shell-true | services/labels/printer.py:64 | 4- | subprocess.Popen("lpr -P " + printer, shell=True)
sqlalchemy-execute-raw-query | jobs/kpi/on_time.py:52 | 0- | connection.execute("SELECT * FROM leg WHERE carrier = '" + carrier + "'")
sqlalchemy-execute-raw-query | jobs/kpi/utilisation.py:39 | 0-1,4- | connection.execute("SELECT * FROM load WHERE depot = %s" % depot)
sqlalchemy-execute-raw-query | jobs/forecast/history.py:28 | 0-5 | session.execute("DELETE FROM forecast WHERE lane = " + lane)
avoid-pickle | jobs/forecast/model.py:18 | 0- | model = pickle.load(file)
avoid-pickle | jobs/forecast/model.py:25 | 0- | pickle.dump(model, file)
avoid-pickle | jobs/cache.py:33 | 0-2 | return pickle.loads(self.store.get(key))
disabled-cert-validation | jobs/carriers/fetch.py:41 | 0- | response = requests.get(url, verify=False)
disabled-cert-validation | jobs/tariffs/fetch.py:36 | 3- | tariffs = requests.get(source, timeout=30, verify=False)
insecure-hash-algorithm-sha1 | jobs/export/manifest.py:22 | 0- | digest = hashlib.sha1(content).hexdigest()
insecure-hash-algorithm-sha1 | services/labels/barcode.py:15 | 0- | check = hashlib.sha1(number.encode()).hexdigest()[:4]
eval-detected | jobs/kpi/formula.py:27 | 0-6 | value = eval(formula, {}, row)
python-logger-credential-disclosure | jobs/carriers/login.py:30 | 0- | logger.info("carrier password %s", password)
missing-autoescape-disabled | services/labels/render.py:11 | 0- | env = Environment(loader=FileSystemLoader("templates"))
avoid-pickle | jobs/export/parquet.py:44 | feature/parquet-export | rows = pickle.loads(message.body)
`,
  misconfigurations: `
DS002 | Dockerfile:1-16 | 0- | Dockerfile | FROM python:3.11-slim
DS017 | Dockerfile:4-4 | 0-2 | Dockerfile | RUN apt-get update
DS029 | services/labels/Dockerfile:5-5 | 0- | services/labels/Dockerfile | RUN apt-get update && apt-get install -y cups-client
`,
  secrets: `
aws-key | jobs/export/settings.py:8 | 0-4 | AWS_KEY = "«*»"
generic | jobs/carriers/settings.py:12 | 0- | CARRIER_TOKEN = "«kestrel-dummy-carrier-token»"
generic | jobs/tariffs/settings.py:9 | 3-6 | TARIFF_TOKEN = "«kestrel-dummy-tariff-token»"
private-key | services/labels/keys/printer.pem:1 | 0- | «*»
slack-hook | jobs/notify.py:17 | 0-5 | HOOK = "«*»"
`,
  licenses: `
pymupdf | AGPL-3.0 | forbidden | CRITICAL | requirements.txt | 2-
`,
  branches: [
    {
      ref: 'feature/parquet-export',
      refType: 'branch',
      cut: 6,
      scanned: [6, 7],
      daysLater: 3,
      tools: ['semgrep'],
    },
  ],
  edits: [
    {
      week: 3,
      path: 'jobs/kpi/on_time.py',
      from: `connection.execute("SELECT * FROM leg WHERE carrier = '" + carrier + "'")`,
      to: `rows = connection.execute("SELECT id, eta FROM leg WHERE carrier = '" + carrier + "'")`,
    },
  ],
  suppressions: [
    {
      week: 4,
      code: 'check = hashlib.sha1(number.encode()).hexdigest()[:4]',
      justification: 'A check digit for people who type it, no protection.',
    },
  ],
  mishaps: [
    { week: 5, tool: 'semgrep', kind: 'broken-row' },
    { week: 8, tool: 'trivy', kind: 'half-run' },
  ],
};
