import type { Clock } from '../base/clock.ts'
import { runScript } from '../script/run-script.ts'
import type { LogSink } from './access-log.ts'
import { startRecording } from './recording.ts'

/** The hosts of the load with which a student of the course studied locality in 2021, in the order of appearance. */
const HOSTS = [
  'mqb.darz.com',
  'uewhs.com',
  'xpklorell.papq.kho.mco.com',
  'qcl.ivsw.kqtbxix.com',
  'iddqscdxrj.wfrxsjy.dbef.rcbyne.com',
] as const

/** Its 26 URLs: the number of the host, from 1 up, and the path. */
const URLS: readonly (readonly [host: number, path: string])[] = [
  [1, '/bljpt/nfw/fjm.html'],
  [1, '/rws/sbcnuv.html'],
  [1, '/saqx/qcaceh/zvfrkml.html'],
  [2, '/pqpx/xkit/xacbh/icqc.html'],
  [2, '/omfg/dwf/pxiqvku/dlcgdew.html'],
  [3, '/ohordtq/wcsgspq/msboagu.html'],
  [3, '/xnzlgdg/btrwbln/deuguu.html'],
  [4, '/rubetok/hoachwdv/xrdryxl/dqtukw.html'],
  [1, '/juu/cibxub/enmeyat/mydi/xloghiq.html'],
  [1, '/vih/uvsu/ypayulyei/otehzrii.html'],
  [4, '/ggkbbipz/zu.html'],
  [2, '/udfvkgru/zgiooobp.html'],
  [2, '/wphapj/dqhdc/wdtxj.html'],
  [5, '//aux/pus/hiixqm.html'],
  [5, '/cvud/uyiby/mwsiqyo.html'],
  [2, '/mzev/zvjegeb/cfuftsx/xtig/eehkchzdfl.html'],
  [2, '/fnxzt/svbspk.html'],
  [3, '/bppkqtp/buot/qcwi.html'],
  [1, '/ujjd/tge.html'],
  [4, '/aijvw/aubwewpj/gehlj/pbp.html'],
  [5, '/dzubdubz/fsp/qwuzifwov/dwyvvbur/mgyjgfdx/nun.html'],
  [4, '/plw/upfxlz/nhkw/anlt.html'],
  [5, '/cdds/oyvegur.html'],
  [3, '/moxeqm/owrg/lk/meahkgccn.html'],
  [2, '/veym/xhlrnunyf/rhbas/uyg/oubutpni/wfjqsjx.html'],
  [5, '/rxx/wctd/eogvbpkx/gdir/cr/ifpgyn.html'],
]

/** Which host each URL of the load belongs to, from 1 up, in order. */
export const ORIGINAL_HOSTS: readonly number[] = URLS.map(([host]) => host)

/** The whole command file. */
export const ORIGINAL_LOAD = [
  `ADD_URLS ${URLS.length}`,
  ...URLS.map(([host, path]) => `http://${HOSTS[host - 1]}${path}`),
  'LISTA_HOSTS',
  'ESCALONA_TUDO',
  'LIMPA_TUDO',
  '',
].join('\n')

/** Fixed, so that the places in the hash tables are always the same. */
const SEED = [1, 2] as const

/** Runs the original's load depth-first, and records its accesses. */
export function recordOriginal(sink: LogSink, clock: Clock): void {
  const file = Buffer.from(ORIGINAL_LOAD)
  let at = 0
  const memory = {
    read(buffer: Buffer, offset: number, length: number): number {
      const got = file.copy(buffer, offset, at, at + length)
      at += got
      return got
    },
  }
  const recording = startRecording(memory, sink, clock)
  try {
    const run = runScript({
      source: recording.source,
      sink: { write() {} },
      strategy: 'depth',
      seed: SEED,
      expectedBytes: file.length,
      onMistake() {},
    })
    while (!run.next().done);
  } finally {
    recording.end()
  }
}
