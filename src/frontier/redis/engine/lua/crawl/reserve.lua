-- Reserves hosts that may become known, so that there are never more than a bound over all shards.
-- ARGV: 1 who, 2 number of this call, 3 hosts (less than 0: gives this many back), 4 bound (-1: none),
--   5 'add', or 'set': from now on this many hosts count as known
-- Returns how many were reserved.
local t = string.sub(KEYS[1], 1, -2)
local call = redis.call
local number, hosts, bound = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local last = call('HGET', t .. 'k', ARGV[1])
if last then
  local kept = last
  last = cmsgpack.unpack(kept)
  if number <= last[1] then
    -- Written once more, as in call.lua.
    call('HSET', t .. 'k', ARGV[1], kept)
    return last[2]
  end
end
local known = tonumber(call('HGET', KEYS[1], 'hosts') or 0)
if ARGV[5] == 'set' then known = 0
elseif bound >= 0 then hosts = math.min(hosts, math.max(0, bound - known)) end
call('HSET', KEYS[1], 'hosts', math.max(0, known + hosts))
call('HSET', t .. 'k', ARGV[1], cmsgpack.pack({number, hosts}))
return hosts
