{{- define "merlon.name" -}}
{{- if contains "merlon" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-merlon" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "merlon.selector" -}}
app.kubernetes.io/name: merlon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "merlon.labels" -}}
{{ include "merlon.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The Secret with the secret of the install. */}}
{{- define "merlon.keySecret" -}}
{{- .Values.existingSecret | default (printf "%s-key" (include "merlon.name" .)) -}}
{{- end -}}

{{- define "merlon.secret" -}}
{{- .Values.existingSecret | default (include "merlon.name" .) -}}
{{- end -}}

{{- define "merlon.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* What the pods of all kinds have in common, at the level of a pod's spec. */}}
{{- define "merlon.pod" -}}
automountServiceAccountToken: false
{{- /* With a Service named merlon, its variables MERLON_SERVICE_HOST and MERLON_PORT would be taken for settings. */}}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: secret
    secret:
      secretName: {{ include "merlon.keySecret" . }}
      items: [{ key: secret, path: secret }]
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end -}}

{{/* What their containers have in common. */}}
{{- define "merlon.container" -}}
image: {{ include "merlon.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.settingsSecret }}
envFrom:
  - secretRef: { name: {{ . }} }
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - { name: secret, mountPath: /etc/merlon, readOnly: true }
  - { name: data, mountPath: /var/lib/merlon }
  - { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "merlon.environment" -}}
- name: MERLON_SECRET_FILE
  value: /etc/merlon/secret
- name: MERLON_DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ include "merlon.secret" . }}, key: database-url }
- name: MERLON_DATABASE_READ_URL
  valueFrom:
    secretKeyRef: { name: {{ include "merlon.secret" . }}, key: database-read-url, optional: true }
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  {{- /* Helm reads all numbers as floating ones, and writes large ones as 1e+06. */}}
  value: {{ kindIs "float64" $value | ternary (int64 $value) $value | toString | quote }}
{{- end }}
{{- end -}}
