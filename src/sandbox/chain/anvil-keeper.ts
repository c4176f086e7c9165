/**
 * Runs anvil for as long as standard input stays open, then asks it to save its state and leave.
 *
 * The service holds the other end of that pipe. However the service ends, by stop, crash or SIGKILL, the system closes the
 * pipe and this process ends anvil; nothing is left behind and no block is lost. Windows has no signal that asks a program to
 * leave, so anvil ends there without saving, and the next start has a new chain.
 *
 * usage: anvil-keeper.ts keep|discard DIRECTORY ANVIL [argument...]
 */
import { spawn } from 'node:child_process'
import { openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const [fate, home = '', binary = '', ...args] = process.argv.slice(2)
const running = join(home, 'chain-running')

// What stops the service may reach this process too; it must outlive anvil.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

// The process that creates this file owns the directory; two that start at once cannot both make it.
try {
  writeFileSync(running, `${process.pid}\n`, { flag: 'wx' })
} catch {
  say('taken')
  process.exit(1)
}

const log = openSync(join(home, 'chain.log'), 'w')
const anvil = spawn(binary, args, { stdio: ['ignore', log, log], windowsHide: true })
anvil.once('error', ({ message }) => {
  writeFileSync(log, message)
  leave(1)
})
anvil.once('exit', (code) => leave(code ?? 1))
if (anvil.pid !== undefined) {
  writeFileSync(running, `${anvil.pid}\n`)
  say(`${anvil.pid}`)
}
process.stdin.once('close', () => anvil.kill('SIGTERM')).resume()

function say(line: string): void {
  writeSync(1, `${line}\n`)
}

/** Only an orderly end saves the state; after any other the file stays and says so. */
function leave(code: number): void {
  if (code === 0) rmSync(running, { force: true })
  if (fate === 'discard') rmSync(home, { recursive: true, force: true })
  process.exit(code)
}
