import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What modules of ours export, by their paths without `.ts`; dist/ has them only in bundles. */
export async function ownModules({ root, scratch }, paths) {
  const { build } = await import('esbuild')
  const contents = paths.map(path => `export * from './${path}.ts'\n`).join('')
  const outfile = join(scratch, `${paths.join('-').replaceAll('/', '-')}.mjs`)
  const stdin = { contents, resolveDir: root }
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' })
  return import(pathToFileURL(outfile).href)
}
