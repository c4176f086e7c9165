/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. */
import { DAY_MS } from '../../../values/utc-days.ts'
import { PATHS } from '../../call/paths.ts'
import type { BuildDocument } from '../document-context.ts'

/**
 * Less than a year, as section 2.5.5 recommends. The date is a whole day, so that replicas started on one day agree.
 */
const VALID_DAYS = 350

export const securityTxt: BuildDocument = ({ baseUrl, operator: { contactEmail }, source, startedAt }) => {
  const expires = new Date((Math.floor(startedAt / DAY_MS) + VALID_DAYS) * DAY_MS)
  const lines = [
    `Contact: ${contactEmail === null ? `${baseUrl}/` : `mailto:${contactEmail}`}`,
    ...(source?.advisories == null ? [] : [`Contact: ${source.advisories}`]),
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}${PATHS.security}`,
  ]
  return {
    route: PATHS.security,
    body: `${lines.join('\n')}\n`,
    contentType: 'text/plain; charset=utf-8',
  }
}
