/** Seconds since 1970 as ISO 8601 in UTC, e.g. "2026-11-20T04:00:00Z"; the only place that makes a date of them. */
export const utcTime = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
