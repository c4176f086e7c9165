import { connect, type Socket } from 'node:net'
import type { FuzzInput } from './input.ts'
import { answerReader, type WireAnswer } from './read-answers.ts'

export interface Exchanged {
  readonly input: FuzzInput
  /** Null where none came. */
  readonly answer: WireAnswer | null
}

/** How long one exchange may take before it counts as never answered; a sale in doubt takes half of it. */
const PATIENCE_MS = 60_000

/** A connection that is kept, and opened again when the service closes it. */
export interface Pipe {
  /** Resolves with an answer for each, or with null where a connection ended before the first answer to what was sent on it. */
  send(inputs: readonly FuzzInput[]): Promise<Exchanged[]>
  close(): void
}

/**
 * `atOnce` requests are sent without waiting for their answers. Of more than one the service answers the first and closes the
 * connection, so the others are sent again.
 */
export function openPipe(port: number, { atOnce = 1 } = {}): Pipe {
  let socket: Socket | undefined
  let sent: Sent | undefined

  function connected(): Socket {
    const fresh = connect(port, '127.0.0.1')
    fresh.on('data', (bytes: Buffer) => sent?.read(bytes))
    fresh.on('error', () => {})
    fresh.on('close', () => {
      if (socket === fresh) end()
    })
    return fresh
  }

  function end(): void {
    socket?.destroy()
    socket = undefined
    sent?.settle()
  }

  const sendOnce = (inputs: readonly FuzzInput[]) =>
    new Promise<WireAnswer[]>((resolve, reject) => {
      const patience = setTimeout(end, PATIENCE_MS)
      sent = readAnswers(inputs, end, (answers) => {
        clearTimeout(patience)
        sent = undefined
        if (answers instanceof Error) reject(answers)
        else resolve(answers)
      })
      socket ??= connected()
      socket.write(Buffer.concat(inputs.map(({ bytes }) => bytes)))
    })

  const send = async (inputs: readonly FuzzInput[]): Promise<Exchanged[]> => {
    const exchanged: Exchanged[] = []
    while (exchanged.length < inputs.length) {
      const some = inputs.slice(exchanged.length, exchanged.length + atOnce)
      const [first = null, ...others] = await sendOnce(some)
      for (const [at, answer] of [first, ...others].entries()) exchanged.push({ input: some[at]!, answer })
    }
    return exchanged
  }
  return { send, close: end }
}

const closes = (answer: WireAnswer | undefined): boolean => /\r\nconnection: close/i.test(answer?.head ?? '')

interface Sent {
  read(bytes: Buffer): void
  settle(): void
}

function readAnswers(
  inputs: readonly FuzzInput[],
  end: () => void,
  done: (outcome: WireAnswer[] | Error) => void,
): Sent {
  const answers: WireAnswer[] = []
  const reader = answerReader(
    () => inputs[answers.length]?.method,
    (answer) => answers.push(answer),
  )
  const settle = () => done(answers)
  return {
    settle,
    read(bytes) {
      try {
        reader.read(bytes)
      } catch (error) {
        return done(error as Error)
      }
      if (closes(answers.at(-1))) end()
      else if (answers.length >= inputs.length) settle()
    },
  }
}

/** Sends bytes that may be no request over a connection of their own, and reads what comes until it is closed. */
export function sendAlone(port: number, input: FuzzInput): Promise<WireAnswer[]> {
  return new Promise((resolve) => {
    const answers: WireAnswer[] = []
    const reader = answerReader(
      () => input.method,
      (answer) => answers.push(answer),
    )
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
    const patience = setTimeout(() => socket.destroy(), PATIENCE_MS)
    socket.on('data', (bytes: Buffer) => {
      try {
        reader.read(bytes)
      } catch {
        // What HEAD is answered with looks cut off to a reader that does not know what was asked.
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(answers)
    })
    socket.on('connect', () => {
      if (input.leaves === true) socket.write(input.bytes, () => socket.destroy())
      else socket.end(input.bytes)
    })
  })
}
