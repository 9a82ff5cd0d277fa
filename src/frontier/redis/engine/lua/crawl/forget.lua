-- Everything is forgotten in every shard: no pages are done, no tickets open and no hosts known.
-- Returns the number of this clearing.
local t = string.sub(KEYS[1], 1, -2)
local call = redis.call
local all = call('HGETALL', t .. 'w')
for i = 1, #all, 2 do
  local record = cmsgpack.unpack(all[i + 1])
  record[5], record[6], record[7] = 0, 0, 0
  call('HSET', t .. 'w', all[i], cmsgpack.pack(record))
end
call('HSET', KEYS[1], 'hosts', 0)
return call('HINCRBY', KEYS[1], 'clearings', 1)
