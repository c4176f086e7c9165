#!/usr/bin/env node
// Plain JavaScript, since Node 20 cannot load TypeScript. Runs the buyer's or the operator's program on this Node if it is
// new enough, else on the one in node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const OLDEST = [22, 18]
const BUYER_COMMANDS = ['try', 'buy', 'refund', 'mcp', 'verify']
const program = BUYER_COMMANDS.includes(process.argv[2]) ? '../packages/command/src/cli.ts' : '../src/cli.ts'
const cli = new URL(program, import.meta.url)
const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])

if (isNewEnough) {
  await import(cli.href)
} else if (existsSync(pinned)) {
  runOnPinned()
} else {
  console.error(
    `format-checker needs Node ${OLDEST.join('.')} or newer; run "npm ci" here, which installs one`,
  )
  process.exitCode = 1
}

function runOnPinned() {
  // The command ends when the IPC channel closes, also if this process is killed.
  const command = spawn(pinned, [fileURLToPath(cli), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => command.kill(signal))
  command.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
