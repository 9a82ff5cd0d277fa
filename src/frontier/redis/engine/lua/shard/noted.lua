#!lua flags=no-writes
-- A note about a host. input: {host, key}. Returns {note}, or {} when there is none or its time is over.
local kept = call('HGET', T .. 'n:' .. input[1], input[2])
if not kept or struct.unpack('>d', kept) <= now then return pack({}) end
return pack({ sub(kept, 9) })
