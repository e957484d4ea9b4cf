interface ExceptionMode {
  mode: string;
  enforcement_mode: string | null;
}

/** Returns `exempt`, or `downgrade to warn`. */
export function exceptionMode({ mode, enforcement_mode: lower }: ExceptionMode): string {
  return lower === null ? mode : `${mode} to ${lower}`;
}
