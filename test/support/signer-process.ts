import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
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

/** What a process gets that can only talk to the socket: the body of the answer; null if it is no answer to a request. */
export const talk = (socketPath: string, body: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request({ socketPath, agent: AGENT, method: 'POST' }, (response) => {
      if (response.statusCode === 200) json(response).then(resolve, reject)
      else response.resume().on('end', () => resolve(null))
    })
      .on('error', reject)
      .end(body)
  })

const AGENT = new Agent({ keepAlive: true, maxSockets: 16 })
