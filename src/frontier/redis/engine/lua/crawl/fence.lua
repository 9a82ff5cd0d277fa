#!lua flags=allow-oom
-- Fences a crawler that did not report for long, in two steps. In between, its leases come back in every shard.
-- ARGV: 1 crawler, 2 its opening, 3 ms of silence that are asked for, 4 'begin'
--   Returns the opening with which it is fenced: nothing of a lower one is accepted any more. 0: it is alive.
-- ARGV: 1 crawler, 2 opening with which it is fenced, 3 pages that it has done, 4 'end'
--   Returns 1, or 0 when it has been opened or fenced again meanwhile.
-- ARGV: 1 who, 2 anything, 3 pages, 4 'put': this many pages were done by a client that isn't a crawler. Returns 1.
local t = string.sub(KEYS[1], 1, -2)
local call = redis.call
local crawler, opening, what = ARGV[1], tonumber(ARGV[2]), ARGV[4]
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if what == 'put' then
  call('HSET', t .. 'w', crawler, cmsgpack.pack({0, 0, now, 1, tonumber(ARGV[3]), 0, 0, 0}))
  return 1
end
local record = call('HGET', t .. 'w', crawler)
record = record and cmsgpack.unpack(record)
if not record or record[1] ~= opening then return 0 end
if what == 'begin' then
  if now - record[3] < tonumber(ARGV[3]) then return 0 end
  record[1] = call('HINCRBY', KEYS[1], 'openings', 1)
  call('HSET', t .. 'w', crawler, cmsgpack.pack(record))
  return record[1]
end
call('HSET', t .. 'w', crawler, cmsgpack.pack({opening, 0, record[3], 1, tonumber(ARGV[3]), 0, 0, record[8]}))
return 1
