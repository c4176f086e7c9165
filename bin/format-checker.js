#!/usr/bin/env node
// Plain JavaScript, so that any Node can read it: Node 20 cannot load the TypeScript behind it at all. It finds a
// Node that can (this one, or the one the package brings along) and runs the command line on it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OLDEST = [22, 18]
const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])

if (isNewEnough) {
  await import(new URL('../src/cli.ts', import.meta.url).href)
} else if (existsSync(pinned)) {
  runOnPinned()
} else {
  console.error(
    `format-checker needs Node ${OLDEST.join('.')} or newer; run "npm ci" here, which brings one along`,
  )
  process.exitCode = 1
}

function runOnPinned() {
  // The command ends when the channel closes, which the system does also when this process is killed.
  const command = spawn(pinned, [cli, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => command.kill(signal))
  command.once('exit', (code) => process.exit(code ?? 1))
}
