// Plants each bug of mutants.ts and looks whether model replay or simulation finds it; what found it is recorded in
// kills.json. A recorded look is tried first, so a second run takes minutes: node test/simulation/mutate.ts [--recorded]
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MUTANTS, type Mutant } from './mutants.ts'
import type { Kill, Look } from './searches.ts'

const { values } = parseArgs({
  options: {
    /** Numbers of bugs; all by default. */
    only: { type: 'string' },
    /** Tries what is recorded and searches for nothing else. */
    recorded: { type: 'boolean', default: false },
    /** Only the looks that find most bugs. */
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '20' },
  },
})
const ROOT = join(import.meta.dirname, '../..')
const RECORD = join(import.meta.dirname, 'kills.json')
const LIMIT_MS = Number(values.minutes) * 60_000
const record: Record<string, Kill> = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {}

/** What finds the bug with this number, 0 for the sources as they are; null if nothing does. */
function search(number: number, only?: Look): Promise<Kill | null> {
  const which = only !== undefined ? [JSON.stringify(only)] : values.quick ? ['quick'] : []
  const args = [join(import.meta.dirname, 'kill.ts'), String(number), ...which]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    let failed = ''
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString()
    })
    child.stderr.on('data', (text: Buffer) => {
      failed += text.toString()
    })
    const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    child.on('close', (code, signal) => {
      clearTimeout(late)
      if (signal === 'SIGKILL') reject(new Error(`bug ${number} takes longer than ${values.minutes} minutes`))
      else if (code !== 0) reject(new Error(`bug ${number}: ${failed}`))
      else resolve(JSON.parse(said.trim().split('\n').at(-1) as string))
    })
  })
}

/** Whether the test that the bug names fails on it. */
function failsTest(number: number): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(
      join(ROOT, 'node_modules/.bin/vitest'),
      ['run', '--config', join(import.meta.dirname, 'mutant.config.ts'), '--reporter=dot'],
      { env: { ...process.env, MUTANT: String(number) }, stdio: 'ignore', cwd: ROOT },
    )
    child.on('close', (code) => resolve(code !== 0))
  })
}

const numbers =
  values.only === undefined
    ? MUTANTS.map((_, index) => index + 1)
    : values.only.split(',').flatMap((range) => {
        const [from = 0, to = from] = range.split('-').map(Number)
        return Array.from({ length: to - from + 1 }, (_, index) => from + index)
      })
let killed = 0
for (const number of numbers) {
  const { file, from, to, test, equivalent } = MUTANTS[number - 1] as Mutant
  const known = record[number]
  let kill = known === undefined ? null : await search(number, known)
  if (kill === null && !values.recorded && equivalent === undefined) kill = await search(number)
  delete record[number]
  if (kill !== null) {
    record[number] = kill
    killed += 1
    console.log(`killed   ${number} ${file} ${JSON.stringify(kill)}`)
  } else if (equivalent !== undefined) console.log(`equal    ${number} ${file}: ${equivalent}`)
  else if (test !== undefined && (await failsTest(number))) console.log(`fails    ${number} ${file}: ${test}`)
  else {
    console.log(`SURVIVED ${number} ${file} ${JSON.stringify([from, to])}`)
    process.exitCode = 1
  }
  if (!values.recorded) writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)
}
console.log(`${killed} of ${numbers.length} killed by model or simulation`)
