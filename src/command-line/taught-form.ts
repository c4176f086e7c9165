/** How the program is called in a clone; `scripts/pack.ts` writes the form of the package. npx keeps `--help` for itself. */
export const TAUGHT_FORM = 'npx --no -- format-checker'
