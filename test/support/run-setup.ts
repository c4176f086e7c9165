import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { portsFolder } from './ports.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Where Node keeps compiled modules: every process that a test starts would compile the same ones again. */
const COMPILED = join(ROOT, 'node_modules/.cache/node-compile')
/** Runs the program that has the command, as bin/format-checker.js does. */
const LAUNCHER = readFileSync(join(ROOT, 'bin/format-checker.js'), 'utf8')
  .replace('../packages/command/src/cli.ts', './buyer.js')
  .replace('../src/cli.ts', './operator.js')
/** Suites that start no process of ours. */
const IN_PROCESS = ['unit', 'schedules']

/** Gives the run an id that its worker processes inherit; what it claimed is removed at its end, by who gave the id. */
export async function setup({ name }: TestProject): Promise<() => void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILED
  if (!IN_PROCESS.includes(name)) process.env.FORMAT_CHECKER_TEST_BUILD ??= await build()
  if (process.env.FORMAT_CHECKER_TEST_RUN !== undefined) return () => {}
  const run = String(process.pid)
  process.env.FORMAT_CHECKER_TEST_RUN = run
  rmSync(portsFolder(run), { recursive: true, force: true })
  return () => rmSync(portsFolder(run), { recursive: true, force: true })
}

/**
 * Builds service and command as the image does: from the sources a process spends most of its start on finding some
 * 700 modules. Runs beside each other write the same.
 */
async function build(): Promise<string> {
  const { bundle } = await import('../../scripts/bundle.ts')
  const folder = join(ROOT, 'dist/test')
  mkdirSync(folder, { recursive: true })
  const chunks = await bundle({
    main: 'src/main.ts',
    operator: 'src/cli.ts',
    buyer: 'packages/command/src/cli.ts',
  })
  chunks.push({ name: 'cli.cjs', code: LAUNCHER })
  const names = chunks.map(({ name }) => name)
  // A run beside may have removed it first.
  for (const name of readdirSync(folder))
    if (!names.includes(name)) rmSync(join(folder, name), { force: true })
  for (const { name, code } of chunks) {
    const written = `${folder}.${process.pid}`
    writeFileSync(written, code)
    renameSync(written, join(folder, name))
  }
  return folder
}
