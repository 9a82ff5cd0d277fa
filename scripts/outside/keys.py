"""The keys of cdxj-indexer: one URL per line comes in, one key per line goes out."""
import sys

from cdxj_indexer.main import CDXJIndexer

indexer = CDXJIndexer(None, [])
for line in sys.stdin:
    print(indexer.get_url_key(line.rstrip("\n")))
