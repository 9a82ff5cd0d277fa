-- Begins an import: makes the crawl's structure, with the seed of the dump, and marks it as unfinished.
-- ARGV: 1 format, 2 shards (0: as they are), 3 shards of a new crawl, 4 and 5 seed of its fingerprints, 6 ms after which a crawler
--   that did not report is gone
-- Returns {what, shards or format, opening, revivals}; what: 1 begun; 0 something else lives here; -1 another format; -2 other shards;
--   -3 crawlers work on it (their number follows); -4 it has settings; -5 another import has begun.
local t = string.sub(KEYS[1], 1, -2)
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local made = call('HMGET', KEYS[1], 'format', 'shards', 'importing')
local shards = tonumber(made[2] or (ARGV[2] ~= '0' and ARGV[2] or ARGV[3]))
if not made[1] and call('EXISTS', KEYS[1]) == 1 then return {0, 0, 0, 0} end
if made[1] then
  if made[1] ~= ARGV[1] then return {-1, tonumber(made[1]), 0, 0} end
  if ARGV[2] ~= '0' and shards ~= tonumber(ARGV[2]) then return {-2, shards, 0, 0} end
  if made[3] then return {-5, shards, 0, 0} end
  local alive, all = 0, call('HGETALL', t .. 'w')
  for i = 2, #all, 2 do
    local record = cmsgpack.unpack(all[i])
    if record[4] == 0 and now - record[3] < tonumber(ARGV[6]) then alive = alive + 1 end
  end
  if alive > 0 then return {-3, alive, 0, 0} end
  if call('EXISTS', t .. 'settings') == 1 then return {-4, shards, 0, 0} end
end
call('HSET', KEYS[1], 'format', ARGV[1], 'shards', shards, 'seed0', ARGV[4], 'seed1', ARGV[5], 'importing', now)
return {1, shards, call('HINCRBY', KEYS[1], 'openings', 1), tonumber(call('HGET', KEYS[1], 'revivals') or 0)}
