import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { run } from './command.ts'

/** Whether this machine lets a test mount a disk: it needs a mount namespace, which not every container grants. */
export const mayMount = (): boolean =>
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** A disk in memory that only programs started by `launch` see. */
export interface SmallDisk {
  readonly launch: typeof run
  /** Leaves no byte free. */
  fill(): void
  /** Takes back what `fill` has written. */
  free(): void
  /** Rejects while a file on the disk is open for writing. */
  remount(as: 'ro' | 'rw'): Promise<void>
  remove(): Promise<void>
}

const FILLER = 'filler-'
const LARGEST_FILE = 1 << 20

/** Mounts a disk of `megabytes` at an existing folder. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  const shell = spawn('unshare', ['-rm', 'sh'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = createInterface({ input: shell.stdout })
  const order = async (command: string) => {
    const reply = once(said, 'line') as Promise<[string]>
    shell.stdin.write(`${command}; echo $?\n`)
    const [status] = await reply
    if (status !== '0') throw new Error(`${command}: ${status}`)
  }
  await order(`mount -t tmpfs -o size=${megabytes}m tmpfs ${folder}`)
  const seenFromHere = join(`/proc/${shell.pid}/root`, folder)
  const inside = ['--user', '--mount', '--preserve-credentials', '--target', String(shell.pid)]
  return {
    launch: (args, options) =>
      run([...inside, process.execPath, ...args], { ...options, program: 'nsenter' }),
    fill() {
      let count = 0
      for (let size = LARGEST_FILE; size > 0; size >>= 1)
        try {
          for (;;) {
            count += 1
            writeFileSync(join(seenFromHere, `${FILLER}${count}`), Buffer.alloc(size))
          }
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
    },
    free() {
      for (const name of readdirSync(seenFromHere))
        if (name.startsWith(FILLER)) rmSync(join(seenFromHere, name))
    },
    remount: (as) => order(`mount -o remount,${as} ${folder}`),
    async remove() {
      const closed = once(shell, 'close')
      shell.kill('SIGKILL')
      await closed
    },
  }
}
