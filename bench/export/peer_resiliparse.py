"""The same job with FastWARC and Resiliparse: python3 peer_resiliparse.py FOLDER pages|links OUT"""

import base64
import hashlib
import json
import sys
from pathlib import Path
from urllib.parse import urljoin

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import HTMLTree

folder, table, out = sys.argv[1:]


def page_row(record, name):
    body = record.reader.read()
    charset = record.http_charset or detect_encoding(body)
    tree = HTMLTree.parse(bytes_to_str(body, charset))
    text = extract_plain_text(tree, main_content=False, alt_texts=False, preserve_formatting=True)
    digest = base64.b32encode(hashlib.sha1(text.encode("utf-8", "replace")).digest()).decode()
    html = tree.document.query_selector("html")
    return {
        "url": record.headers["WARC-Target-URI"],
        "fetch_time": record.headers["WARC-Date"],
        "fetch_status": record.http_headers.status_code,
        "content_digest": record.headers["WARC-Payload-Digest"],
        "content_mime_type": record.http_content_type,
        "content_charset": charset,
        "warc_filename": name,
        "warc_record_offset": record.stream_pos,
        "title": tree.title,
        "text": text,
        "text_digest": digest,
        "lang": html.getattr("lang") if html else None,
    }


def link_rows(record):
    body = record.reader.read()
    charset = record.http_charset or detect_encoding(body)
    tree = HTMLTree.parse(bytes_to_str(body, charset))
    url = record.headers["WARC-Target-URI"]
    for anchor in tree.document.query_selector_all("a[href], area[href]"):
        try:
            target = urljoin(url, anchor.getattr("href"))
        except ValueError:
            continue
        yield {"from": url, "to": target, "anchor": anchor.text, "rel": anchor.getattr("rel")}


count = 0
with open(out, "w", encoding="utf-8", errors="replace") as file:
    for path in sorted(Path(folder).glob("*.warc.gz")):
        with open(path, "rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                count += 1
                rows = [page_row(record, path.name)] if table == "pages" else link_rows(record)
                for row in rows:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
print(count)
