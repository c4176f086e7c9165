import { COMMANDS } from '../../command-line/commands.ts'
import { parseArguments } from '../../command-line/parse-arguments.ts'
import { wrap } from '../../command-line/terminal-text.ts'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'

const WIDTH = 60

/** Exit code 1 if a line fails. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { json, quiet } = parseArguments(COMMANDS.doctor, args).values
  const findings = await examine(Date.now)
  const failed = findings.some(({ status }) => status === 'fail')
  if (json) console.log(JSON.stringify({ ok: !failed, findings }))
  else {
    const shown = quiet ? findings.filter(({ status }) => status !== 'pass') : findings
    for (const finding of shown) console.log(render(finding))
  }
  return failed ? 1 : 0
}

function render({ check, status, found, advice }: Finding): string {
  const [first = '', ...more] = wrap(found, WIDTH)
  const lines = [...more, ...(advice === undefined ? [] : wrap(`-> ${advice}`, WIDTH))]
  return [
    `${status.padEnd(5)} ${check.padEnd(12)} ${first}`,
    ...lines.map((line) => `${' '.repeat(19)}${line}`),
  ].join('\n')
}
