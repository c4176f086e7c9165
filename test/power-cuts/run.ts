/**
 * `npm run power-cuts [-- --images 2000 --seed 1] [part of a name]`: runs the store, the whole service, and the files of a
 * buyer and of a signer under a recorder of system calls, each case by a program that always meets it; rebuilds what disks
 * would hold after a power cut at any moment, opens it with the real code and compares it with what callers had been told.
 * Needs strace.
 */
import { parseArgs } from 'node:util'
import { CASES } from './cases.ts'
import { replayCase } from './replay.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { images: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
})

let hasFailed = false
for (const each of CASES) {
  if (positionals.length > 0 && !positionals.some((part) => each.name.includes(part))) continue
  for (const { control, calls, images, claims, losses } of await replayCase(
    each,
    Number(values.images),
    Number(values.seed),
  )) {
    const isRight = (losses.length === 0) === (control === null)
    hasFailed ||= !isRight
    console.log(
      `${each.name}, ${control ?? 'as it is'}: ${calls} calls, ${images} images, ${claims} claims, ` +
        `${losses.length} images with losses${isRight ? '' : `: WRONG\n  ${losses.slice(0, 5).join('\n  ')}`}`,
    )
  }
}
process.exitCode = hasFailed ? 1 : 0
