/** The words of a list that white space separates. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))
