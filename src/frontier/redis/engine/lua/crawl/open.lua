-- Opens a crawl: makes its structure if there is none, and registers a crawler.
-- ARGV: 1 format, 2 shards (0: as they are), 3 shards of a new crawl, 4 and 5 seed of its fingerprints,
--   6 crawler (empty: an observer), 7 ms after which a crawler that did not report is gone
-- Returns {format, shards} when these are not ours (format 0: something else lives here); nothing has changed then. Else
--   {format, shards, seed, seed, opening, revivals, isFirst, formerOpening, clearings, losses, formerLosses, lost}:
--   opening -1: an import has not finished; isFirst 1: no other crawler is alive; formerOpening 0: this crawler was never here;
--   formerLosses: those that it has recovered from; lost: since when calls are gone, in ms since 1970.
local t = string.sub(KEYS[1], 1, -2)
local call = redis.call
local crawler, gone = ARGV[6], tonumber(ARGV[7])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local made = call('HMGET', KEYS[1], 'format', 'shards', 'seed0', 'seed1')
if not made[1] then
  if call('EXISTS', KEYS[1]) == 1 then return {0, 0} end
  made = {ARGV[1], tonumber(ARGV[2]) > 0 and ARGV[2] or ARGV[3], ARGV[4], ARGV[5]}
  call('HSET', KEYS[1], 'format', made[1], 'shards', made[2], 'seed0', made[3], 'seed1', made[4])
end
local format, shards = tonumber(made[1]), tonumber(made[2])
if format ~= tonumber(ARGV[1]) or (ARGV[2] ~= '0' and shards ~= tonumber(ARGV[2])) then return {format, shards} end
if call('HEXISTS', KEYS[1], 'importing') == 1 then return {format, shards, 0, 0, -1} end
local opening = call('HINCRBY', KEYS[1], 'openings', 1)
local isFirst, former = 0, 0
local counted = call('HMGET', KEYS[1], 'losses', 'lost')
local losses = tonumber(counted[1] or 0)
local formerLosses = losses
if crawler ~= '' then
  isFirst = 1
  local all = call('HGETALL', t .. 'w')
  for i = 1, #all, 2 do
    local record = cmsgpack.unpack(all[i + 1])
    if all[i] ~= crawler and record[4] == 0 and now - record[3] < gone then isFirst = 0 end
  end
  local record = call('HGET', t .. 'w', crawler)
  record = record and cmsgpack.unpack(record) or {0, 0, now, 0, 0, 0, 0, losses}
  former, formerLosses = record[1], record[8] or 0
  record[1], record[2], record[3], record[4], record[7] = opening, 0, now, 0, 0
  call('HSET', t .. 'w', crawler, cmsgpack.pack(record))
  if isFirst == 1 then call('HINCRBY', KEYS[1], 'revivals', 1) end
end
local numbers = call('HMGET', KEYS[1], 'revivals', 'clearings')
return {format, shards, tonumber(made[3]), tonumber(made[4]), opening, tonumber(numbers[1] or 0), isFirst, former,
  tonumber(numbers[2] or 0), losses, formerLosses, tonumber(counted[2] or 0)}
