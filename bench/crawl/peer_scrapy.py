"""Peer: Scrapy, 48 at a time, one a host, robots.txt obeyed.   python3 peer_scrapy.py SEEDS LIMIT"""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Everything(scrapy.Spider):
    name = "everything"
    start_urls = open(sys.argv[1]).read().split()
    links = LinkExtractor()

    def parse(self, response):
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


settings = dict(
    CONCURRENT_REQUESTS=48,
    CONCURRENT_REQUESTS_PER_DOMAIN=1,
    ROBOTSTXT_OBEY=True,
    CLOSESPIDER_PAGECOUNT=int(sys.argv[2]),
    COOKIES_ENABLED=False,
    RETRY_ENABLED=False,
    TELNETCONSOLE_ENABLED=False,
    LOG_LEVEL="ERROR",
)
process = CrawlerProcess(settings=settings)
crawler = process.create_crawler(Everything)
process.crawl(crawler)
process.start()
print("pages", crawler.stats.get_value("response_received_count"))
