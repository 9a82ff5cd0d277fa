"""Prints the URLs that ultimate-sitemap-parser finds in the files of a folder, by name, as JSON."""
import gzip
import json
import logging
import sys
from pathlib import Path

from usp.objects.sitemap import IndexXMLSitemap
from usp.tree import sitemap_from_str

logging.disable(logging.CRITICAL)
found = {}
for path in sorted(Path(sys.argv[1]).iterdir()):
    data = path.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    sitemap = sitemap_from_str(text)
    if isinstance(sitemap, IndexXMLSitemap):
        found[path.name] = [sub.url for sub in sitemap.sub_sitemaps]
    else:
        found[path.name] = [page.url for page in sitemap.all_pages()]
print(json.dumps(found))
