import { addHeaders } from '../../http/body/send.ts'
import type { Middleware } from '../../http/middleware.ts'
import { type Keyring, sameBytes } from '../../payments/secrets/keyring.ts'

export const DOCTOR_HEADER = 'Format-Checker-Doctor'
export const FORWARDED_HEADER = 'Format-Checker-Forwarded'

/** Shows that a request comes from `doctor`, which knows SECRET_KEY. */
export const doctorToken = (keys: Keyring): string =>
  keys.mac('secret-check', Buffer.from('doctor')).toString('hex')

/** Answers `doctor` how many addresses X-Forwarded-For holds on arrival, so that it can count the proxies. */
export function countForwarded(keys: Keyring): Middleware {
  const token = Buffer.from(doctorToken(keys))
  const header = DOCTOR_HEADER.toLowerCase()
  return (req, res, next) => {
    const given = req.headers[header]
    if (typeof given === 'string' && sameBytes(Buffer.from(given), token)) {
      const entries = String(req.headers['x-forwarded-for'] ?? '').split(',')
      const count = entries.filter((entry) => entry.trim() !== '').length
      addHeaders(res, [FORWARDED_HEADER, String(count)])
    }
    next()
  }
}
