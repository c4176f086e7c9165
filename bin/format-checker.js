#!/usr/bin/env node
// CommonJS, by the package.json beside it: Node starts its loader of modules for a command alone, not for version and help.
// Plain JavaScript, since Node 20 cannot load TypeScript. Runs the buyer's or the operator's program on this Node if it is
// new enough, else on the one in node_modules.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const BUYER_COMMANDS = ['try', 'buy', 'refund', 'mcp', 'verify']
const OLDEST = [22, 18]

const [name, ...rest] = process.argv.slice(2)
const beside = (path) => join(__dirname, path)

if (['--version', '-v', '-V'].includes(name)) {
  console.log(JSON.parse(readFileSync(beside('../package.json'), 'utf8')).version)
} else if (['--help', '-h', 'help'].includes(name) && rest.length === 0) {
  console.log(readFileSync(beside('help.txt'), 'utf8').trimEnd())
} else {
  run(
    beside(BUYER_COMMANDS.includes(name) ? '../packages/command/src/cli.ts' : '../src/cli.ts'),
    beside('../node_modules/node/bin/node'),
  )
}

function run(program, pinned) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))
    return import(require('node:url').pathToFileURL(program).href)
  if (existsSync(pinned)) return runOnPinned(program, pinned)
  console.error(
    `format-checker needs Node ${OLDEST.join('.')} or newer; run "npm ci" here, which installs one`,
  )
  process.exitCode = 1
}

function runOnPinned(program, pinned) {
  const { spawn } = require('node:child_process')
  const { constants } = require('node:os')
  // The command ends when the IPC channel closes, also if this process is killed.
  const command = spawn(pinned, [program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => command.kill(signal))
  command.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
