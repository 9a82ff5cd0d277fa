export const CRAWL_HELP = `Examples
  escalona crawl -s seeds.txt -n 100000                 collect 100,000 pages into the folder crawl
  escalona crawl -s seeds.txt -n 500 -o ufmg --scope domain
                                                        stay in the domains of the seeds
  escalona crawl -s seeds.txt -n 100 -d | head          a JSON line a page on standard output
Killed, stopped or out of power: the same command goes on where it was.

Usage: escalona crawl -s SEEDS [options]
  -s, --seeds F          a file with a URL a line; - is standard input
  -n, --limit N          end after N archived pages (default: when nothing is left)
  -o, --output DIR       where everything is kept (default crawl)
  -d, --debug            a JSON line a page: URL, Title, Text, Timestamp
  -q, --quiet            nothing but errors

Politeness
      --delay T          least time between two requests to a host (default 100ms)
      --server-delay T   least time between two requests to an IP address, over all its hosts (default: a quarter of --delay)
      --per-server N     open requests at an IP address, over all its hosts (default 4)
      --contact C        a URL or mail address for those who run the hosts; part of the User-Agent
      --user-agent U     the whole User-Agent; robots.txt knows us by its first word
      --retries N        times that a failed request is made again (default 3)

Where to
      --scope S          any (default), domain or host: of the seeds
      --max-depth N      links from a seed
      --max-per-host N   pages of one host
      --max-hosts N      hosts that the crawl may know (default 5000000)
      --max-hosts-per-domain N
                         of one registrable domain (default 20000)
      --include P        only URLs that fit a pattern, in which * is any text; repeatable
      --exclude P        no URLs that fit this pattern; repeatable
  -e, --strategy S       which host is next: explore (default), depth, breadth or best
      --explore P        chance of a domain that was never visited (default 0.7)
      --seed N           of chance: the same seed, the same choices (default 1)

Limits
      --timeout T        for a whole request (default 10s)
      --connect-timeout T
                         for the connection (default 5s)
      --first-byte-timeout T
                         from the request to the first byte of the answer (default 8s)
      --max-body SIZE    of a page after decompression; the rest is cut (default 10MiB)
      --concurrency N    open requests (default 48)
      --workers N        threads (default: the cores)

Network
      --allow-network C  ask this network although it is not public (CIDR); repeatable
      --hosts F          a file of addresses and names, asked before the DNS
      --dns A            a DNS server to ask instead of the system's, ADDRESS or ADDRESS:PORT; repeatable

T is 250ms, 10s, 2m, or a number of milliseconds; SIZE is 500KiB, 10MiB, or a number of bytes.
In DIR: archive/*.warc.gz, index.cdxj, pages.jsonl, frontier/, report.html, report.json
Exit codes: 0 the crawl is finished, 2 wrong use or an error, 130 stopped by Ctrl-C
`
