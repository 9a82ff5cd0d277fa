"""The words that Resiliparse finds, beside ours: python3 text.py FILE, with lines of JSON: path, charset, text."""

import json
import sys
from collections import Counter

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str

sums = Counter()
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        page = json.loads(line)
        with open(page["path"], "rb") as file:
            html = bytes_to_str(file.read(), page["charset"])
        theirs = extract_plain_text(html, main_content=False, alt_texts=False, list_bullets=False).split()
        ours = page["text"].split()
        extra, missing = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
        sums["ours"] += len(ours)
        sums["theirs"] += len(theirs)
        sums["different"] += max(extra.total(), missing.total())
        sums["sameLetters"] += "".join(ours) == "".join(theirs)
print(json.dumps(sums))
