/** How far a long command is. */
export interface Progress {
  /** `count` steps are done. */
  show(text: string, count: number): void
  /** Leaves the terminal on a fresh line. */
  end(): void
}

/** Where nobody watches, one line in so many will do. */
const EVERY = 100

/** One line that is written over on a terminal; elsewhere a line for every hundred steps. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  let shown = false
  return {
    show(text, count) {
      if (stream.isTTY) stream.write(`\r${text}\u001b[K`)
      else if (count % EVERY === 0) stream.write(`${text}\n`)
      shown = true
    },
    end() {
      if (shown && stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}
