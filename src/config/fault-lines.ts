/** The setting that a fault line is about. */
export const settingOf = (line: string): string => line.slice(0, line.indexOf(':'))

/** Envalid quotes the value in some of its messages; what is set may be a secret. */
export function faultText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message.startsWith('must be') || message.startsWith('is the ')
    ? message
    : 'has a value that is not allowed'
}
