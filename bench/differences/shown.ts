/** Values in tables of Markdown. */

const LONGEST_SHOWN = 44

/** The value in JSON, in ASCII, cut where it is long, as a table of Markdown takes it. */
export function shown(value: string): string {
  const ascii = JSON.stringify(value).replace(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const short = ascii.length > LONGEST_SHOWN ? `${ascii.slice(0, LONGEST_SHOWN)}…` : ascii
  return `\`\`${short.replaceAll('|', '\\|')}\`\``
}
