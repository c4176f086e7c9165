/**
 * `npm run hostile-files`: reads each file made to cost much with the command line, and prints its size, its outcome, and
 * the time and memory of the whole process. Fails if one takes more than 250 MB, or ends in anything but a reading or the
 * refusal that is expected, which names the bound that it met. Times are printed and decide nothing: what is to take less
 * than 3 s here takes as long as a loaded machine likes, and may be refused for its time there. Without a clock
 * `test/lists/hostile-files.test.ts` wants the expected bound alone. `--only <words>` picks files by their name.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HOSTILE_FILES } from '../test/support/hostile-files.ts'

const MOST_MB = 250
const SIZE = 128 * 1024 * 1024
/** Exit codes of `try --files`: read, read with rows that are not valid, refused. */
const READ = [0, 1]
const REFUSED = 2

const COMMAND = join(import.meta.dirname, '../bin/format-checker.js')
const METER = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    // Not maxRSS: it begins with what the parent had.
    const peak = /VmHWM:\\s+(\\d+)/.exec(process.getBuiltinModule('fs').readFileSync('/proc/self/status', 'utf8'))
    process.stderr.write('\\n' + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, mb: peak[1] / 1024 }))
  })`,
)}`

const SLOW = /takes longer to read than a file of its size should/

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
const missed: string[] = []
try {
  for (const { name, make, refused } of HOSTILE_FILES.filter((each) => each.name.includes(values.only))) {
    const path = join(folder, 'file')
    const bytes = make(SIZE)
    writeFileSync(path, bytes)
    const args = ['--import', METER, COMMAND, 'try', '--files', 'iban', path]
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const { cpu, mb } = JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1)) as { cpu: number; mb: number }
    const isRight =
      refused === null
        ? READ.includes(status ?? -1)
        : status === REFUSED && (refused.test(stderr) || SLOW.test(stderr))
    const size = `${(bytes.length / 1e6).toFixed(2)} MB`
    console.log(
      `${name.padEnd(72)} ${size.padStart(10)} ${cpu.toFixed(1).padStart(5)} s ${mb.toFixed(0).padStart(4)} MB  ${refused === null ? 'read' : 'refused'}`,
    )
    if (!isRight) missed.push(`${name}: ended with ${status}: ${stderr.slice(0, 300)}`)
    if (mb > MOST_MB) missed.push(`${name}: ${mb.toFixed(0)} MB`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
if (missed.length > 0) {
  console.error(missed.join('\n'))
  process.exitCode = 1
}
