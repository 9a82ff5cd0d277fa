#!lua flags=allow-oom
-- Places the host of an open ticket at a server. input: {id, ticket, server}. Returns {…, 1 if the ticket is open}.
local id = input[1]
local lease = leasesOf({ id })[1]
if not lease or lease[lOwner] ~= OWNER or lease[lTicket] ~= input[2] then return finish(0) end
local h = touch(id)
h[hServer], h[hServerDown] = input[3], 0
flush()
return finish(1)
