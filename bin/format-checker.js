#!/usr/bin/env node
// Plain JavaScript, since Node 20 cannot load TypeScript. Says version and help by itself; runs the buyer's or the
// operator's program on this Node if it is new enough, else on the one in node_modules.
import { existsSync, readFileSync } from 'node:fs'

const BUYER_COMMANDS = ['try', 'buy', 'refund', 'mcp', 'verify']
const OLDEST = [22, 18]

const [name, ...rest] = process.argv.slice(2)
const beside = (path) => new URL(path, import.meta.url)

if (['--version', '-v', '-V'].includes(name)) {
  console.log(JSON.parse(readFileSync(beside('../package.json'), 'utf8')).version)
} else if (['--help', '-h', 'help'].includes(name) && rest.length === 0) {
  console.log(readFileSync(beside('help.txt'), 'utf8').trimEnd())
} else {
  await run(
    beside(BUYER_COMMANDS.includes(name) ? '../packages/command/src/cli.ts' : '../src/cli.ts'),
    beside('../node_modules/node/bin/node'),
  )
}

async function run(program, pinned) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return await import(program.href)
  if (existsSync(pinned)) return await runOnPinned(program, pinned)
  console.error(
    `format-checker needs Node ${OLDEST.join('.')} or newer; run "npm ci" here, which installs one`,
  )
  process.exitCode = 1
}

async function runOnPinned(program, pinned) {
  const { spawn } = await import('node:child_process')
  const { constants } = await import('node:os')
  const { fileURLToPath } = await import('node:url')
  // The command ends when the IPC channel closes, also if this process is killed.
  const command = spawn(fileURLToPath(pinned), [fileURLToPath(program), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => command.kill(signal))
  command.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
