// Which build is measured: that of this tree or, where ESCALONA_BENCH_TREE names one, that of another (bench:against). Every benchmark
// asks here for the command, the library and the sources, so that the same benchmark measures both. ESCALONA_BENCH_DIST names the folder of the
// built code where that is not dist/ (tests).
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const tree = process.env.ESCALONA_BENCH_TREE || fileURLToPath(new URL('..', import.meta.url))
const dist = process.env.ESCALONA_BENCH_DIST || join(tree, 'dist')
/** Packages of the older kind want it. */
const REQUIRE = {
  js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)",
}

/** The built command. */
export const escalona = join(dist, 'cli', 'main.js')

/** The built library of a tree, all that it exports: other commits have other entry points. */
export async function library(of = tree) {
  const { exports } = JSON.parse(readFileSync(join(of, 'package.json'), 'utf8'))
  const built = of === tree ? dist : join(of, 'dist')
  const files = Object.values(exports).flatMap(entry => (entry.default ? join(built, basename(entry.default)) : []))
  return Object.assign({}, ...(await Promise.all(files.map(file => import(pathToFileURL(file).href)))))
}

/** What these files of src/ export (`archive/records`), bundled: the library hands out only part of it. */
export async function sources(names) {
  const { build } = await import('esbuild')
  const folder = mkdtempSync(join(tmpdir(), 'escalona-bench-'))
  const outfile = join(folder, 'sources.mjs')
  const contents = names.map(name => `export * from './${name}.ts'`).join('\n')
  const stdin = { contents, resolveDir: join(tree, 'src'), loader: 'ts' }
  try {
    // The kernels lie beside the code that reads them.
    for (const name of readdirSync(dist)) if (name.endsWith('.wasm')) cpSync(join(dist, name), join(folder, name))
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20', banner: REQUIRE })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
