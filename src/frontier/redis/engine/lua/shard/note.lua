#!lua
-- Keeps a note about a host for a while. input: {host, key, note, for ms}
local host, forMs = input[1], input[4]
local key = T .. 'n:' .. host
call('HSET', key, input[2], struct.pack('>d', now + forMs) .. input[3])
if call('HEXISTS', T .. 'h', host) == 0 then call('SADD', T .. 'nn', host) end
-- With the engine's clock, the engine forgets what can't be read any more.
if ARGV[1] == '' then
  local leftMs = call('PTTL', key)
  if leftMs < forMs then call('PEXPIRE', key, string.format('%d', min(math.ceil(forMs), 4e12))) end
end
return finish()
