// Plants each bug of mutants.ts in a copy of the sources and looks whether model replay or simulation finds it.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MUTANTS } from './mutants.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    every: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
  },
})
const ROOT = join(import.meta.dirname, '../..')
const COPIED = [
  'src',
  'model',
  'test/simulation',
  'test/model',
  'test/support',
  'skills',
  'agent-card',
  'package.json',
]
const LIMIT_MS = Number(values.minutes) * 60_000

const copy = mkdtempSync(join(tmpdir(), 'format-checker-mutants-'))
mkdirSync(join(copy, 'test'))
for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

/** What the search says of the copy, and whether it found anything; a search that hangs has found something. */
function search(): Promise<{ readonly found: boolean; readonly said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['test/simulation/kill.ts'], { cwd: copy })
    let said = ''
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString()
    })
    const late = setTimeout(() => {
      said = 'it hangs'
      child.kill('SIGKILL')
    }, LIMIT_MS)
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ found: code !== 0, said: said.trim() || 'it does not start' })
    })
  })
}

const clean = await search()
if (clean.found) throw new Error(`the sources as they are: ${clean.said}`)
let killed = 0
let run = 0
for (let index = Number(values.from); index < MUTANTS.length; index += Number(values.every)) {
  const [file, from, to] = MUTANTS[index] as (typeof MUTANTS)[number]
  const path = join(copy, 'src', file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`mutant ${index}: its text is not in ${file} once`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  const { found, said } = await search()
  writeFileSync(path, source)
  run += 1
  if (found) killed += 1
  console.log(
    `${found ? 'killed  ' : 'SURVIVED'} ${index} ${file} ${found ? said : JSON.stringify([from, to])}`,
  )
}
rmSync(copy, { recursive: true })
console.log(`${killed} of ${run} killed`)
