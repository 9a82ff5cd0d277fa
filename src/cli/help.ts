export const HELP = `Examples
  escalona coleta1.txt              run the commands, write coleta1-out.txt
  escalona coleta1.txt -e best      the host with the most URLs comes first
  escalona coleta1.txt -o -         write to standard output
  cat coleta1.txt | escalona -      read standard input, write standard output

Usage: escalona [run] FILE [options]
  -e, --strategy S  which host is next: depth (default), breadth or best
  -b                the same as -e breadth
  -o, --output F    write to F instead of FILE-out; - is standard output
  -l, --log F       record every access to memory in F, for escalona analyze
  -q, --quiet       no summary
      --strict      the first mistake in FILE ends the run, nothing is written
  -h, --help        this page
  -V, --version     the version

Commands in FILE, one a line
  ADD_URLS n  (then n URLs)    ESCALONA_TUDO    ESCALONA n    LISTA_HOSTS
  ESCALONA_HOST host n    VER_HOST host    LIMPA_HOST host    LIMPA_TUDO

More commands: generate, analyze, experiment, crawl; escalona generate --help
Exit codes: 0 fine, 1 mistakes in FILE, 2 wrong use or unusable file
`
