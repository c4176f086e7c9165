import { type ChildProcess, spawn } from 'node:child_process'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { CLI } from './command.ts'

export interface SignerProcess {
  readonly socket: string
  readonly output: () => string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** `format-checker signer` as a process of its own, with nothing of this one's environment; resolves once it listens. */
export async function startSigner(
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<SignerProcess> {
  const socket = join(directory, 'signer.sock')
  const env = {
    PATH: process.env.PATH,
    SIGNER_SOCKET: socket,
    DATA_DIR: join(directory, 'keys'),
    ...settings,
  }
  const child: ChildProcess = spawn(process.execPath, [CLI, 'signer'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk
        if (`${chunk}`.includes('"listening"')) resolve()
      })
    void ended.then(() => reject(new Error(output)))
  })
  return {
    socket,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await ended
    },
  }
}

/** What a process gets that can only talk to the socket: the answers to its lines, until there are so many or it is cut off. */
export function talk(
  socket: string,
  lines: readonly string[],
  most = lines.length,
): Promise<readonly string[]> {
  return new Promise((resolve) => {
    let text = ''
    const connection = createConnection(socket, () => {
      for (const line of lines) connection.write(`${line}\n`)
    })
    const whole = () => text.split('\n').slice(0, -1)
    connection.on('data', (chunk) => {
      text += chunk
      if (whole().length >= most) connection.destroy()
    })
    connection.on('error', () => {}).on('close', () => resolve(whole()))
  })
}
