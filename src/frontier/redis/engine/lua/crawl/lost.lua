#!lua flags=allow-oom
-- A crawler has noticed that the engine forgot something. What it knows of the crawl's structure is written again if it is gone, and the
-- others learn of the loss. ARGV: 1 format, 2 shards, 3 and 4 seed of the fingerprints, 5 its opening, 6 losses that it knows of,
--   7 since how many ms ago calls are gone (empty: all)
-- Returns {losses, 1 if the structure is still the same}.
local call = redis.call
local names = {'format', 'shards', 'seed0', 'seed1'}
for k, name in ipairs(names) do call('HSETNX', KEYS[1], name, ARGV[k]) end
local made = call('HMGET', KEYS[1], unpack(names))
for k = 1, #names do
  if made[k] ~= ARGV[k] then return {0, 0} end
end
-- Numbers that were given are not given again: it is not known how many were.
-- const: SPARE_OPENINGS = 16
local counted = call('HMGET', KEYS[1], 'openings', 'losses', 'lost')
local opening = math.max(tonumber(counted[1] or 0), tonumber(ARGV[5])) + SPARE_OPENINGS
local losses = math.max(tonumber(counted[2] or 0), tonumber(ARGV[6])) + 1
local since = ARGV[7] == '' and 0 or call('TIME')[1] * 1000 - tonumber(ARGV[7])
since = math.max(0, math.min(since, tonumber(counted[3] or since)))
call('HSET', KEYS[1], 'openings', opening, 'losses', losses, 'lost', string.format('%.0f', since))
return {losses, 1}
