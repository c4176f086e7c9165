import { createRequire } from 'node:module'

/** The peer libraries as they are published, CommonJS and untyped; throws where they are not installed. */
export function loadPeers() {
  const load = createRequire(import.meta.url)
  const valibot = load('valibot')
  return {
    validator: load('validator'),
    ibantools: load('ibantools'),
    iban: load('iban'),
    fastIban: load('fast-iban'),
    jsvat: load('jsvat'),
    stdnum: load('stdnum').stdnum,
    polish: load('polish-validators'),
    validatePolish: load('validate-polish').validatePolish,
    address: load('@hapi/address'),
    valibot,
    valibotEmail: valibot.pipe(valibot.string(), valibot.email()),
  }
}
