/** Every metric of this service begins with it. */
export const PREFIX = 'format_checker_'
